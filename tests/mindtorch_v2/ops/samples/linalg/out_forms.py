"""Products written into given tensors."""

from .. import S

_OUT = {"v": "torch.empty(0)"}
_LONG = "torch.empty(0, dtype=torch.long)"

SAMPLES = {
    "addbmm.out": [S("torch.addbmm(x, y, z, out=v)", x="f(3, 5)", y="f(2, 3, 4)", z="f(2, 4, 5)", **_OUT),
                   S("torch.addbmm(x, y, z, beta=0.5, alpha=2, out=v)", x="f(5)", y="f(2, 3, 4)", z="f(2, 4, 5)",
                     **_OUT)],
    "dot.out": [S("torch.dot(x, y, out=v)", x="f(4)", y="f(4)", **_OUT),
                S("torch.dot(x, y, out=v)", x="f(4)", y="f(4)", v="torch.empty(())")],
    "vdot.out": [S("torch.vdot(x, y, out=v)", x="f(4)", y="f(4)", **_OUT),
                 S("torch.vdot(x, y, out=v)", x="c(4)", y="c(4)", v="torch.empty((), dtype=torch.complex64)")],
    "outer.out": [S("torch.outer(x, y, out=v)", x="f(3)", y="f(4)", **_OUT)],
    "ger.out": [S("torch.ger(x, y, out=v)", x="f(3)", y="f(4)", **_OUT)],
    "kron.out": [S("torch.kron(x, y, out=v)", x="f(2, 2)", y="f(3, 2)", **_OUT),
                 S("torch.kron(x, y, out=v)", x="f(2)", y="f(3, 2)", **_OUT)],
    "tensordot.out": [S("torch.tensordot(x, y, 1, out=v)", x="f(2, 3)", y="f(3, 4)", **_OUT),
                      S("torch.tensordot(x, y, ([0, 1], [1, 0]), out=v)", x="f(2, 3, 4)", y="f(3, 2)", **_OUT)],
    "chain_matmul.out": [S("torch.chain_matmul(x, y, z, out=v)", x="f(2, 3)", y="f(3, 4)", z="f(4, 5)", **_OUT),
                         S("torch.chain_matmul(x, out=v)", x="f(2, 3)", **_OUT)],
    "linalg_multi_dot.out": [S("torch.ops.aten.linalg_multi_dot.out((x, y, z), out=v)", x="f(2, 3)", y="f(3, 4)",
                               z="f(4, 5)", **_OUT),
                             S("torch.ops.aten.linalg_multi_dot.out((x, y, z), out=v)", x="f(3)", y="f(3, 4)",
                               z="f(4)", **_OUT)],
    "linear.out": [S("F.linear(x, y, out=v)", x="f(2, 3)", y="f(4, 3)", **_OUT),
                   S("F.linear(x, y, z, out=v)", x="f(2, 3)", y="f(4, 3)", z="f(4)", **_OUT),
                   S("F.linear(x, y, z, out=v)", x="f(2, 5, 3)", y="f(4, 3)", z="f(4)", **_OUT)],
    "diagonal_copy.out": [S("torch.diagonal_copy(x, out=v)", x="f(3, 4)", **_OUT)],
    "diag.out": [S("torch.diag(x, out=v)", x="f(3, 4)", **_OUT), S("torch.diag(x, 1, out=v)", x="f(3)", **_OUT)],
    "linalg_lstsq.out": [
        S("torch.linalg.lstsq(x, y, out=(v, w, r, s))", x="f(4, 3)", y="f(4, 2)", w="torch.empty(0)",
          r="torch.empty(0, dtype=torch.long)", s="torch.empty(0)", **_OUT)],
    **{f"linalg_pinv.{form}": [S(f"torch.linalg.pinv(x, {how}, out=v)", x="f(4, 3)", **_OUT)] for form, how in (
        ("atol_rtol_tensor_out", "atol=torch.tensor(0.1)"), ("atol_rtol_float_out", "atol=0.1"), ("out", "rcond=0.1"),
        ("out_rcond_tensor", "rcond=torch.tensor(0.1)"))},
    **{f"linalg_matrix_rank.{form}": [S(f"torch.linalg.matrix_rank(x, {how}, out=v)", x="f(4, 3)", v=_LONG)]
       for form, how in (("atol_rtol_tensor_out", "atol=torch.tensor(0.1)"), ("atol_rtol_float_out", "atol=0.1"),
                         ("out", "0.1"), ("out_tol_tensor", "torch.tensor(0.1)"))},
    "linalg_matrix_norm.out": [S("torch.linalg.matrix_norm(x, 1, out=v)", x="f(4, 3)", **_OUT)],
    "linalg_matrix_norm.str_ord_out": [S("torch.linalg.matrix_norm(x, 'nuc', out=v)", x="f(4, 3)", **_OUT)],
    "linalg_norm.ord_str_out": [S("torch.linalg.norm(x, 'fro', out=v)", x="f(4, 3)", **_OUT)],
    "frobenius_norm.out": [S("torch.frobenius_norm(x, (0, 1), out=v)", x="f(4, 3)", **_OUT)],
    "nuclear_norm.out": [S("torch.nuclear_norm(x, out=v)", x="f(4, 3)", **_OUT)],
    "nuclear_norm.dim_out": [S("torch.nuclear_norm(x, (0, 1), out=v)", x="f(4, 3)", **_OUT)],
    "linalg_cond.out": [S("torch.linalg.cond(x, out=v)", x="f(3, 3)", **_OUT)],
    "linalg_cond.p_str_out": [S("torch.linalg.cond(x, 'nuc', out=v)", x="f(3, 3)", **_OUT)],
    "linalg_cross.out": [S("torch.linalg.cross(x, y, out=v)", x="f(2, 3)", y="f(2, 3)", **_OUT)],
    "cross.out": [S("torch.cross(x, y, out=v)", x="f(2, 3)", y="f(2, 3)", **_OUT)],
    "linalg_matrix_power.out": [S(f"torch.linalg.matrix_power(x, {n}, out=v)", x="f(3, 3)", **_OUT)
                                for n in (3, 0, 1, -1, 6)],
    "matrix_power.out": [S("torch.matrix_power(x, 2, out=v)", x="f(3, 3)", **_OUT)],
    "linalg_tensorinv.out": [S("torch.linalg.tensorinv(x, ind=1, out=v)", x="f(6, 2, 3)", **_OUT)],
    "linalg_tensorsolve.out": [S("torch.linalg.tensorsolve(x, y, out=v)", x="f(2, 3, 6)", y="f(2, 3)", **_OUT)],
    "linalg_vecdot.out": [S("torch.linalg.vecdot(x, y, out=v)", x="f(2, 3)", y="f(2, 3)", **_OUT)],
    "linalg_matmul.out": [S("torch.linalg.matmul(x, y, out=v)", x="f(2, 3)", y="f(3, 2)", **_OUT)],
    "inner.out": [S("torch.inner(x, y, out=v)", x="f(2, 3)", y="f(4, 3)", **_OUT)],
    "linalg_norm.out": [S("torch.linalg.norm(x, out=v)", x="f(3, 4)", **_OUT),
                        S("torch.linalg.norm(x, 2, (0,), out=v)", x="f(3, 4)", **_OUT),
                        S("torch.linalg.norm(x, 1, (1,), True, out=v)", x="f(3, 4)", **_OUT)],
}
