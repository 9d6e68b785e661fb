"""Equations solved by the LU decomposition, and inverses."""

from .. import S

A3 = "f(3, 3) + 3 * torch.eye(3)"
A23 = "f(2, 3, 3) + 3 * torch.eye(3)"
C3 = "c(3, 3) + 4 * torch.eye(3)"
ONES = "torch.ones(3, dtype=torch.int)"

SAMPLES = {
    "linalg_lu_solve": [
        S("torch.linalg.lu_solve(x, p, y)", x=A3, p="torch.linalg.lu_factor(f(3, 3))[1]", y="f(3, 2)"),
        S("torch.linalg.lu_solve(x, p, y, left=False)", x=A3, p="torch.linalg.lu_factor(f(3, 3))[1]", y="f(2, 3)"),
        S("torch.linalg.lu_solve(x, p, y, adjoint=True)", x=A23, p="torch.linalg.lu_factor(f(2, 3, 3))[1]",
          y="f(3, 2)"),
        S("torch.linalg.lu_solve(x, p, y, left=False, adjoint=True)", x=A3, p="torch.linalg.lu_factor(f(3, 3))[1]",
          y="f(2, 2, 3)"),
        S("torch.linalg.lu_solve(x, p, y, adjoint=True)", x=C3, p="torch.linalg.lu_factor(f(3, 3))[1]", y="c(3, 2)"),
        S("torch.linalg.lu_solve(x, p, y)", x=C3, p="torch.linalg.lu_factor(f(3, 3))[1]", y="c(3, 2)"),
        S("torch.linalg.lu_solve(x, p, y)", x="f(0, 3, 3)", p="torch.ones(0, 3, dtype=torch.int)", y="f(3, 2)"),
        S("torch.linalg.lu_solve(x, p, y)", x=A3, p=ONES, y="f(3)"),
        S("torch.linalg.lu_solve(x, p, y)", x=A3, p=ONES, y="f(4, 2)"),
        S("torch.linalg.lu_solve(x, p, y)", x="f(3, 4)", p=ONES, y="f(3, 2)"),
        S("torch.linalg.lu_solve(x, p, y)", x=A3, p="i(3)", y="f(3, 2)"),
        S("torch.linalg.lu_solve(x, p, y)", x=A3, p="torch.ones(4, dtype=torch.int)", y="f(3, 2)"),
        S("torch.linalg.lu_solve(x, p, y)", x=A3, p="torch.zeros(3, dtype=torch.int)", y="f(3, 2)"),
        S("torch.linalg.lu_solve(x, p, y)", x=A3, p="torch.full((3,), 4, dtype=torch.int)", y="f(3, 2)"),
        S("torch.linalg.lu_solve(x, p, y)", x="i(3, 3)", p=ONES, y="i(3, 2)"),
    ],
    "lu_solve": [
        S("torch.lu_solve(y, x, p)", x=A3, p="torch.linalg.lu_factor(f(3, 3))[1]", y="f(3, 2)"),
        S("y.lu_solve(x, p)", x=A23, p="torch.linalg.lu_factor(f(2, 3, 3))[1]", y="f(2, 3, 2)"),
    ],
    "_linalg_solve_ex": [
        S("torch.ops.aten._linalg_solve_ex(x, y)", x=A3, y="f(3, 2)"),
    ],
    "linalg_solve_ex": [
        S("torch.linalg.solve_ex(x, y)", x=A3, y="f(3, 2)"),
        S("torch.linalg.solve_ex(x, y).info", x="torch.zeros(2, 3, 3)", y="f(3, 2)"),
        S("torch.linalg.solve_ex(x, y, check_errors=True)", x="torch.zeros(3, 3)", y="f(3, 2)"),
    ],
    "linalg_solve": [
        S("torch.linalg.solve(x, y)", x=A3, y="f(3)"),
        S("torch.linalg.solve(x, y)", x=A3, y="f(3, 2)"),
        S("torch.linalg.solve(x, y)", x=A23, y="f(2, 3)"),
        S("torch.linalg.solve(x, y)", x=A23, y="f(3, 2)"),
        S("torch.linalg.solve(x, y, left=False)", x=A23, y="f(4, 3)"),
        S("torch.linalg.solve(x, y)", x=A3, y="f(2, 3, 2)"),
        S("torch.linalg.solve(x, y)", x=C3, y="c(3, 2)"),
        S("torch.linalg.solve(x.T, y)", x="d(3, 3) + 3 * torch.eye(3).double()", y="d(3)"),
        S("torch.linalg.solve(x, y)", x="f(0, 3, 3)", y="f(3, 2)"),
        S("torch.linalg.solve(x, y)", x="torch.zeros(3, 3)", y="f(3, 2)"),
        S("torch.linalg.solve(x, y)", x="torch.stack([torch.eye(3), torch.zeros(3, 3)])", y="f(3, 2)"),
        S("torch.linalg.solve(x, y)", x="f(3)", y="f(3)"),
        S("torch.linalg.solve(x, y)", x="f(3, 4)", y="f(3)"),
        S("torch.linalg.solve(x, y)", x=A3, y="f(4)"),
        S("torch.linalg.solve(x, y, left=False)", x=A3, y="f(3)"),
        S("torch.linalg.solve(x, y)", x="i(3, 3)", y="i(3)"),
        S("torch.linalg.solve(x, y)", x="i(3, 3)", y="f(3)"),
        S("torch.linalg.solve(x, y)", x="h(3, 3)", y="h(3)"),
    ],
    "linalg_inv_ex": [
        S("torch.linalg.inv_ex(x)", x=A3),
        S("torch.linalg.inv_ex(x).info", x="torch.zeros(2, 3, 3)"),
        S("torch.linalg.inv_ex(x, check_errors=True)", x="torch.zeros(3, 3)"),
    ],
    "linalg_inv": [
        S("torch.linalg.inv(x)", x=A3),
        S("torch.linalg.inv(x)", x=A23),
        S("torch.linalg.inv(x)", x=C3),
        S("torch.linalg.inv(x.mT)", x="d(2, 3, 3) + 3 * torch.eye(3).double()"),
        S("torch.linalg.inv(x)", x="f(0, 3, 3)"),
        S("torch.linalg.inv(x)", x="torch.zeros(3, 3)"),
        S("torch.linalg.inv(x)", x="torch.zeros(2, 3, 3)"),
        S("torch.linalg.inv(x)", x="f(3)"),
        S("torch.linalg.inv(x)", x="f(3, 4)"),
        S("torch.linalg.inv(x)", x="i(3, 3)"),
        S("torch.linalg.inv(x)", x="h(3, 3)"),
    ],
    "inverse": [
        S("torch.inverse(x)", x=A3),
        S("x.inverse()", x=A23),
    ],
}
