"""The LDL decomposition."""

from .. import S

ROWS = "torch.tensor([1, 2, 3], dtype=torch.int)"
SYMMETRIC = "(lambda a: a + a.mT)(f(3, 3))"
HERMITIAN = "(lambda a: a + a.mH)(c(3, 3))"

SAMPLES = {
    "linalg_ldl_factor_ex": [
        *[S("torch.linalg.ldl_factor_ex(x)", x=x) for x in (SYMMETRIC, "f(2, 3, 3)", "c(3, 3)", "f(0, 3, 3)")],
        S("torch.linalg.ldl_factor_ex(x, hermitian=True)", x=HERMITIAN),
        S("torch.linalg.ldl_factor_ex(x).info", x="torch.zeros(3, 3)"),
    ],
    "linalg_ldl_factor": [
        *[S("torch.linalg.ldl_factor(x)", x=x) for x in (SYMMETRIC, "d(3, 3)", "f(3)", "f(3, 4)", "i(3, 3)",
                                                          "h(3, 3)")],
    ],
    "linalg_ldl_solve": [
        S("torch.linalg.ldl_solve(x, p, y)", x=SYMMETRIC, p=ROWS, y="f(3, 2)"),
        S("torch.linalg.ldl_solve(x, p, y)", x=SYMMETRIC, p=ROWS, y="f(2, 3, 2)"),
        S("torch.linalg.ldl_solve(x, p, y, hermitian=True)", x=HERMITIAN, p=ROWS, y="c(3, 2)"),
        S("torch.linalg.ldl_solve(x, p, y)", x="f(3, 3)", p="torch.zeros(3, dtype=torch.int)", y="f(3, 2)"),
        S("torch.linalg.ldl_solve(x, p, y)", x="f(3, 3)", p="torch.full((3,), 5, dtype=torch.int)", y="f(3, 2)"),
        S("torch.linalg.ldl_solve(x, p, y)", x="f(3)", p=ROWS, y="f(3, 2)"),
        S("torch.linalg.ldl_solve(x, p, y)", x="f(3, 3)", p=ROWS, y="f(4, 2)"),
        S("torch.linalg.ldl_solve(x, p, y)", x="f(3, 3)", p="f(3)", y="f(3, 2)"),
        S("torch.linalg.ldl_solve(x, p, y)", x="f(3, 3)", p="i(2)", y="f(3, 2)"),
        S("torch.linalg.ldl_solve(x, p, y)", x="f(3, 3)", p=ROWS, y="i(3, 2)"),
    ],
}
