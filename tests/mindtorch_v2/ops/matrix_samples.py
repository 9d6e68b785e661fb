"""Samples of linear algebra whose values and gradients are compared but not their rows, and torch.linalg's names.

Of matrix_exp we show fewer rows than torch, and where complex matrices are conjugated other ones.
"""

from __future__ import annotations

import samples

S = samples.S
C3 = "c(3, 3) + 4 * torch.eye(3)"
HERMITIAN = "(lambda a: a @ a.mH + torch.eye(3))(c(3, 3))"

SAMPLES = {
    **{f"matrix_exp of {x}": S("torch.linalg.matrix_exp(x)", x=x) for x in (
        "f(2, 2)", "f(3, 3) / 100", "d(4, 4)", "f(2, 3, 3)", "c(3, 3)", "f(0, 3, 3)", "3 * f(3, 3)")},
    "solve from the right": S("torch.linalg.solve(x, y, left=False)", x=C3, y="c(2, 3)"),
    "lu_solve from the right": S("torch.linalg.lu_solve(x, p, y, left=False, adjoint=True)", x=C3,
                                 p="torch.ones(3, dtype=torch.int)", y="c(2, 3)"),
    "pinv": S("torch.linalg.pinv(x)", x="c(4, 3)"),
    "pinv of a hermitian matrix": S("torch.linalg.pinv(x, hermitian=True)", x=HERMITIAN),
    "svd's vectors": S("torch.svd(x).V.abs()", x="c(3, 3)"),
    "vecdot": S("torch.linalg.vecdot(x, y)", x="c(2, 3)", y="c(2, 3)"),
    "upper cholesky": S("torch.linalg.cholesky(x, upper=True)", x=HERMITIAN),
    "solve_triangular of an adjoint": S("torch.linalg.solve_triangular(x.mH, y, upper=True)", x=C3, y="c(3, 2)"),
    "nuclear norm": S("torch.linalg.matrix_norm(x, 'nuc')", x="c(4, 3)"),
    "condition": S("torch.linalg.cond(x)", x=C3),
    "lu": S("torch.lu(x, get_infos=True)", x="f(3, 3)"),
    "svd_lowrank": S("(lambda r: (r[0] * r[1]) @ r[2].mT)(torch.svd_lowrank(x, q=3))", x="d(5, 3)"),
    "svd_lowrank of a wide matrix": S("torch.svd_lowrank(x, q=2, niter=8)[1]", x="d(2, 5)"),
    "pca_lowrank": S("torch.pca_lowrank(x)[1]", x="d(5, 3)"),
    "pca_lowrank of too many": S("torch.pca_lowrank(x, q=9)", x="d(5, 3)"),
    **{f"{name}, which is removed": S(f"torch.{name}(x)", x="f(3, 3)")
       for name in ("symeig", "eig", "matrix_rank")},
    **{f"{name}, which is removed": S(f"torch.{name}(x, x)", x="f(3, 3)") for name in ("lstsq", "solve")},
    "Tensor.eig, which is removed": S("x.eig()", x="f(3, 3)"),
}
# How vectors are turned is LAPACK's choice, so that only what torch says of such a loss can be compared.
GAUGE = {
    "eigh": S("torch.linalg.eigh(x).eigenvectors.real.sum()", x=HERMITIAN),
    "eig": S("torch.linalg.eig(x).eigenvectors.real.sum()", x="c(3, 3)"),
    "svd": S("torch.linalg.svd(x).U.real.sum()", x="c(3, 3)"),
}


def names_of(torch) -> list[str]:
    """The public names of torch.linalg; torch's module also shows what it imports."""
    return sorted(name for name in dir(torch.linalg) if not name.startswith("_") and name not in
                  ("FUNCTIONS", "Tensor", "common_notes"))
