"""The Cholesky decomposition and what is solved by it; inputs are positive, or triangles."""

from .. import S

P3 = "(lambda a: a @ a.mT + torch.eye(3))(f(3, 3))"
P23 = "(lambda a: a @ a.mT + torch.eye(3))(f(2, 3, 3))"
D3 = "(lambda a: a @ a.mT + torch.eye(3).double())(d(3, 3))"
C3 = "(lambda a: a @ a.mH + 2 * torch.eye(3))(c(3, 3))"
L3 = "torch.tril(f(3, 3)) + 3 * torch.eye(3)"
L23 = "torch.tril(f(2, 3, 3)) + 3 * torch.eye(3)"
U3 = "torch.triu(f(3, 3)) + 3 * torch.eye(3)"
LC3 = f"torch.linalg.cholesky({C3})"

SAMPLES = {
    "linalg_cholesky": [
        S("torch.linalg.cholesky(x)", x=P3),
        S("torch.linalg.cholesky(x, upper=True)", x=P23),
        S("torch.linalg.cholesky(x)", x=D3),
        S("torch.linalg.cholesky(x)", x=C3),
        S("torch.linalg.cholesky(x.mT)", x=P23),
        S("torch.linalg.cholesky(x)", x="f(0, 3, 3)"),
        S("torch.linalg.cholesky(x)", x="-torch.eye(3)"),
        S("torch.linalg.cholesky(x)", x="torch.stack([torch.eye(3), -torch.eye(3)])"),
        S("torch.linalg.cholesky(x)", x="f(3)"),
        S("torch.linalg.cholesky(x)", x="f(3, 4)"),
        S("torch.linalg.cholesky(x)", x="i(3, 3)"),
        S("torch.linalg.cholesky(x)", x="h(3, 3)"),
    ],
    "linalg_cholesky_ex": [
        S("torch.linalg.cholesky_ex(x)", x=P23),
        S("torch.linalg.cholesky_ex(x, upper=True)", x=P3),
        S("torch.linalg.cholesky_ex(x, check_errors=True)", x="-torch.eye(3)"),
        S("torch.linalg.cholesky_ex(x).info", x="-torch.eye(3)"),
    ],
    "cholesky": [
        S("torch.cholesky(x)", x=P3),
        S("x.cholesky(upper=True)", x=P23),
        S("torch.cholesky(x)", x=C3),
        S("torch.cholesky(x)", x="f(0, 3, 3)"),
        S("torch.cholesky(x)", x="-torch.eye(3)"),
        S("torch.cholesky(x)", x="f(3)"),
        S("torch.cholesky(x)", x="i(3, 3)"),
    ],
    "cholesky_solve": [
        S("torch.cholesky_solve(x, y)", x="f(3, 2)", y=L3),
        S("x.cholesky_solve(y, upper=True)", x="f(2, 3, 2)", y=U3),
        S("torch.cholesky_solve(x, y)", x="f(3, 2)", y=L23),
        S("torch.cholesky_solve(x, y)", x="c(3, 2)", y=LC3),
        S("torch.cholesky_solve(x, y, upper=True)", x="c(3, 2)", y=LC3 + ".mT"),
        S("torch.cholesky_solve(x, y)", x="f(0, 3, 2)", y="f(3, 3)"),
        S("torch.cholesky_solve(x, y)", x="f(3)", y=L3),
        S("torch.cholesky_solve(x, y)", x="f(3, 2)", y="f(3, 4)"),
        S("torch.cholesky_solve(x, y)", x="f(4, 2)", y=L3),
        S("torch.cholesky_solve(x, y)", x="d(3, 2)", y="i(3, 3)"),
        S("torch.cholesky_solve(x, y)", x="i(3, 2)", y="i(3, 3)"),
    ],
    "cholesky_inverse": [
        S("torch.cholesky_inverse(x)", x=L3),
        S("x.cholesky_inverse(upper=True)", x="torch.triu(f(2, 3, 3)) + 3 * torch.eye(3)"),
        S("torch.cholesky_inverse(x)", x=f"torch.linalg.cholesky({C3})"),
        S("torch.cholesky_inverse(x)", x="torch.tril(d(3, 3)) + 4 * torch.eye(3)"),
        S("torch.cholesky_inverse(x)", x="f(0, 3, 3)"),
        S("torch.cholesky_inverse(x)", x="torch.zeros(3, 3)"),
        S("torch.cholesky_inverse(x)", x="f(3)"),
        S("torch.cholesky_inverse(x)", x="f(3, 4)"),
        S("torch.cholesky_inverse(x)", x="i(3, 3)"),
        S("torch.cholesky_inverse(x)", x="f(0, 0)")],
}
