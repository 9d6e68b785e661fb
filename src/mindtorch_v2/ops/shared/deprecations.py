"""Older names of linear algebra: torch says once in a program what to call instead."""

from __future__ import annotations

from ...core.user_warning import warn_user

_GOES = "and will be removed in a future PyTorch release."
_INSTEAD = "should be replaced with"
WORDS = {
    "qr": ("torch.qr is deprecated in favor of torch.linalg.qr " + _GOES,
           "The boolean parameter 'some' has been replaced with a string parameter 'mode'.",
           "Q, R = torch.qr(A, some)", _INSTEAD, "Q, R = torch.linalg.qr(A, 'reduced' if some else 'complete')"),
    "cholesky": ("torch.cholesky is deprecated in favor of torch.linalg.cholesky " + _GOES, "L = torch.cholesky(A)",
                 _INSTEAD, "L = torch.linalg.cholesky(A)", "and", "U = torch.cholesky(A, upper=True)", _INSTEAD,
                 "U = torch.linalg.cholesky(A).mH",
                 "This transform will produce equivalent results for all valid (symmetric positive definite) inputs."),
    "triangular_solve": ("torch.triangular_solve is deprecated in favor of torch.linalg.solve_triangular" + _GOES,
                         "torch.linalg.solve_triangular has its arguments reversed and does not return a copy of one "
                         "of the inputs.", "X = torch.triangular_solve(B, A).solution", _INSTEAD,
                         "X = torch.linalg.solve_triangular(A, B)."),
    "lu": ("torch.lu is deprecated in favor of torch.linalg.lu_factor / torch.linalg.lu_factor_ex " + _GOES,
           "LU, pivots = torch.lu(A, compute_pivots)", _INSTEAD,
           "LU, pivots = torch.linalg.lu_factor(A, compute_pivots)", "and",
           "LU, pivots, info = torch.lu(A, compute_pivots, get_infos=True)", _INSTEAD,
           "LU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots)"),
    "chain_matmul": ("torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use "
                     "torch.linalg.multi_dot instead, which accepts a list of two or more tensors rather than multiple "
                     "parameters.",),
    "lu_solve": ("torch.lu_solve is deprecated in favor of torch.linalg.lu_solve" + _GOES,
                 "Note that torch.linalg.lu_solve has its arguments reversed.", "X = torch.lu_solve(B, LU, pivots)",
                 _INSTEAD, "X = torch.linalg.lu_solve(LU, pivots, B)"),
    "cross": ("Using torch.cross without specifying the dim arg is deprecated.",
              "Please either pass the dim explicitly or simply use torch.linalg.cross.",
              "The default value of dim will change to agree with that of linalg.cross in a future release."),
}
_told: set[str] = set()


def deprecated(name: str) -> None:
    """Warn of a name, the first time that it is called."""
    if name not in _told:
        _told.add(name)
        warn_user("\n".join(WORDS[name]))
