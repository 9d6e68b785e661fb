"""Pseudo-inverses and ranks."""

from .. import S

SYMMETRIC = "(lambda a: a + a.mT)(f(3, 3))"

SAMPLES = {
    "linalg_pinv.atol_rtol_tensor": [
        *[S("torch.linalg.pinv(x)", x=x) for x in ("f(4, 3)", "f(2, 3, 4)", "d(3, 3)", "f(0, 3)", "f(3)", "i(3, 4)")],
        S("torch.linalg.pinv(x, hermitian=True)", x=SYMMETRIC),
        S("torch.linalg.pinv(x, atol=y)", x="f(2, 4, 3)", y="torch.tensor(0.1)"),
        S("torch.linalg.pinv(x, atol=y, rtol=y)", x="f(2, 4, 3)", y="torch.tensor([0.1, 0.2])"),
        S("torch.linalg.pinv(x, rtol=y)", x="f(4, 3)", y="torch.tensor(1j)"),
        S("torch.linalg.pinv(x, hermitian=True)", x="f(3, 4)"),
    ],
    "linalg_pinv.atol_rtol_float": [
        S("torch.linalg.pinv(x, atol=0.1, rtol=0.2)", x="f(4, 3)"),
        S("torch.linalg.pinv(x, atol=0.1)", x="f(4, 3)"),
    ],
    "linalg_pinv": [S("torch.linalg.pinv(x, rcond=0.1)", x="f(4, 3)"),
                    S("torch.linalg.pinv(x, 0.1, True)", x=SYMMETRIC)],
    "linalg_pinv.rcond_tensor": [S("torch.linalg.pinv(x, rcond=y)", x="f(2, 4, 3)", y="torch.tensor(0.1)")],
    "pinverse": [S("torch.pinverse(x)", x="f(4, 3)"), S("x.pinverse(0.1)", x="f(2, 3, 3)")],
    "linalg_matrix_rank.atol_rtol_tensor": [
        *[S("torch.linalg.matrix_rank(x)", x=x) for x in ("f(4, 3)", "f(2, 3, 4)", "c(3, 3)", "torch.ones(3, 3)",
                                                         "f(0, 3)", "f(3)", "i(3, 4)")],
        S("torch.linalg.matrix_rank(x, hermitian=True)", x=SYMMETRIC),
        S("torch.linalg.matrix_rank(x, atol=y)", x="f(2, 4, 3)", y="torch.tensor(0.1)"),
    ],
    "linalg_matrix_rank.atol_rtol_float": [
        S("torch.linalg.matrix_rank(x, atol=0.1, rtol=0.2)", x="f(2, 4, 3)"),
        S("torch.linalg.matrix_rank(x, rtol=0.9)", x="f(4, 3)"),
    ],
    "linalg_matrix_rank": [S("torch.linalg.matrix_rank(x, 0.1)", x="f(4, 3)")],
    "linalg_matrix_rank.tol_tensor": [
        S("torch.linalg.matrix_rank(x, y)", x="f(2, 4, 3)", y="torch.tensor(0.1)"),
        S("torch.linalg.matrix_rank(x, y)", x="f(4, 3)", y="torch.tensor(1j)"),
    ],
}
