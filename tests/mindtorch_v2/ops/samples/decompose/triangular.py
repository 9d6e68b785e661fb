"""Equations whose matrix is a triangle."""

from .. import S

L3 = "torch.tril(f(3, 3)) + 3 * torch.eye(3)"
L23 = "torch.tril(f(2, 3, 3)) + 3 * torch.eye(3)"
U3 = "torch.triu(f(3, 3)) + 3 * torch.eye(3)"
LC3 = "torch.tril(c(3, 3)) + 4 * torch.eye(3)"

SAMPLES = {
    "linalg_solve_triangular": [
        S("torch.linalg.solve_triangular(x, y, upper=False)", x=L3, y="f(3, 2)"),
        S("torch.linalg.solve_triangular(x, y, upper=False)", x=L3, y="f(2, 3, 2)"),
        S("torch.linalg.solve_triangular(x, y, upper=True, left=False)", x=U3, y="f(2, 2, 3)"),
        S("torch.linalg.solve_triangular(x, y, upper=False)", x=L23, y="f(2, 1, 3, 2)"),
        S("torch.linalg.solve_triangular(x.mT, y, upper=True)", x=L3, y="f(3, 2)"),
        S("torch.linalg.solve_triangular(x, y, upper=False, unitriangular=True)", x=L3, y="f(3, 2)"),
        S("torch.linalg.solve_triangular(x, y, upper=True, unitriangular=True, left=False)", x=U3, y="f(2, 3)"),
        S("torch.linalg.solve_triangular(x, y, upper=True)", x="f(3, 3) + 3 * torch.eye(3)", y="f(3, 2)"),
        S("torch.linalg.solve_triangular(x[:, ::2], y, upper=False)", x="f(3, 6) + 3", y="f(3, 2)"),
        S("torch.linalg.solve_triangular(x, y, upper=False)", x=LC3, y="c(3, 2)"),
        S("torch.linalg.solve_triangular(x, y, upper=False, left=False)", x=LC3, y="c(2, 3)"),
        S("torch.linalg.solve_triangular(x, y.T, upper=False)", x="torch.tril(d(3, 3)) + 3 * torch.eye(3).double()",
          y="d(2, 3)"),
        S("torch.linalg.solve_triangular(x, y, upper=False)", x="f(0, 0)", y="f(0, 2)"),
        S("torch.linalg.solve_triangular(x, y, upper=True)", x="torch.zeros(3, 3)", y="pos(3, 2)"),
        S("torch.linalg.solve_triangular(x, y, upper=True)", x="f(3)", y="f(3, 2)"),
        S("torch.linalg.solve_triangular(x, y, upper=True)", x="f(3, 4)", y="f(3, 2)"),
        S("torch.linalg.solve_triangular(x, y, upper=True)", x="f(3, 3)", y="f(4, 2)"),
        S("torch.linalg.solve_triangular(x, y, upper=True, left=False)", x="f(3, 3)", y="f(3, 2)"),
        S("torch.linalg.solve_triangular(x, y, upper=True)", x="f(3, 3)", y="f(3)"),
        S("torch.linalg.solve_triangular(x, y, upper=True)", x="f(2, 3, 3)", y="f(3, 3, 2)"),
        S("torch.linalg.solve_triangular(x, y, upper=True)", x="i(3, 3)", y="i(3, 2)"),
    ],
    "triangular_solve": [
        S("torch.triangular_solve(x, y)", x="f(3, 2)", y=U3),
        S("x.triangular_solve(y, upper=False, transpose=True)", x="f(2, 3, 2)", y=L3),
        S("torch.triangular_solve(x, y, unitriangular=True)", x="f(3, 2)", y=U3),
        S("torch.triangular_solve(x, y, upper=False, transpose=True)", x="c(3, 2)", y=LC3),
        S("torch.triangular_solve(x, y, upper=False).solution", x="c(3, 2)", y=LC3),
        S("torch.triangular_solve(x, y)", x="f(3)", y=U3),
        S("torch.triangular_solve(x, y)", x="f(3, 2)", y="f(3, 4)"),
        S("torch.triangular_solve(x, y)", x="f(4, 2)", y="f(3, 3)"),
        S("torch.triangular_solve(x, y)", x="f(4, 2)", y="i(3, 3)"),
        S("torch.triangular_solve(x, y)", x="i(3, 2)", y="i(3, 3)"),
    ],
}
