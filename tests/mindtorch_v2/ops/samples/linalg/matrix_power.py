"""Powers of matrices; products, equations and inverses of tensors that are read as matrices."""

from .. import S

A3 = "f(3, 3) + 3 * torch.eye(3)"

SAMPLES = {
    "linalg_matrix_power": [
        *[S(f"torch.linalg.matrix_power(x, {n})", x=A3) for n in (0, 1, 2, 3, 5, 6, -1, -2, -5)],
        S("torch.linalg.matrix_power(x, 3)", x="f(2, 3, 3)"),
        S("torch.linalg.matrix_power(x, 2)", x="i(3, 3)"),
        S("torch.linalg.matrix_power(x, -2)", x="torch.zeros(3, 3)"),
        S("torch.linalg.matrix_power(x, 2)", x="f(3)"),
        S("torch.linalg.matrix_power(x, 2)", x="f(3, 4)"),
    ],
    "matrix_power": [S("torch.matrix_power(x, 3)", x="f(3, 3)"), S("x.matrix_power(4)", x="f(2, 3, 3)")],
    "linalg_tensorinv": [
        S("torch.linalg.tensorinv(x, ind=1)", x="f(6, 2, 3)"),
        S("torch.linalg.tensorinv(x)", x="f(2, 3, 6)"),
        S("torch.linalg.tensorinv(x, ind=0)", x="f(3, 3)"),
        S("torch.linalg.tensorinv(x, ind=1)", x="f(3, 4)"),
        S("torch.linalg.tensorinv(x, ind=1)", x="torch.zeros(3, 3)"),
    ],
    "linalg_tensorsolve": [
        S("torch.linalg.tensorsolve(x, y)", x="f(2, 3, 6)", y="f(2, 3)"),
        S("torch.linalg.tensorsolve(x, y, dims=(0,))", x="f(6, 2, 3)", y="f(2, 3)"),
        S("torch.linalg.tensorsolve(x, y)", x="f(3, 4)", y="f(3)"),
    ],
    "linalg_vander": [
        *[S(f"torch.linalg.vander(x{n})", x=x) for x, n in (
            ("f(3)", ""), ("f(2, 3)", ", N=4"), ("i(2, 3)", ", N=4"), ("c(3)", ""), ("f(3)", ", N=1"), ("b(3)", ""))],
    ],
    "linalg_vecdot": [
        *[S(f"torch.linalg.vecdot(x, y{dim})", x=x, y=y) for x, y, dim in (
            ("f(2, 3)", "f(2, 3)", ""), ("f(3)", "f(3)", ""), ("f(2, 3)", "f(3)", ""),
            ("f(2, 3)", "f(2, 3)", ", dim=0"),
            ("f(3)", "f(4)", ""), ("f(3)", "i(3)", ""), ("i(3)", "i(3)", ""))],
    ],
    "linalg_matmul": [S("torch.linalg.matmul(x, y)", x="f(2, 3)", y="f(3, 2)")],
    "linalg_diagonal": [S("torch.linalg.diagonal(x)", x="f(2, 3, 3)"),
                        S("torch.linalg.diagonal(x, offset=1, dim1=0, dim2=2)", x="f(2, 3, 3)"),
                        S("torch.linalg.diagonal(x)", x="f(3)")],
    "inner": [
        *[S("torch.inner(x, y)", x=x, y=y) for x, y in (
            ("f(3)", "f(3)"), ("f(2, 3)", "f(4, 3)"), ("f(2, 3)", "torch.tensor(2.0)"), ("f(2, 3)", "f(4)"),
            ("f(3)", "i(3)"))],
        S("x.inner(y)", x="f(2, 3)", y="f(3)"),
    ],
    "block_diag": [
        S("torch.block_diag(x, y)", x="f(2, 3)", y="f(3)"),
        S("torch.block_diag(x, y, z)", x="f(2, 3)", y="torch.tensor(2.0)", z="i(2, 2)"),
        S("torch.block_diag(x)", x="f(1, 2, 3)"),
    ],
}
