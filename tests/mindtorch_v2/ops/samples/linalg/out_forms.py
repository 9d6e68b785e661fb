"""Products written into given tensors."""

from .. import S

_OUT = {"v": "torch.empty(0)"}

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
}
