"""Singular values of large matrices that a few directions nearly span, found by random vectors."""

from __future__ import annotations

from ..core.tensor import Tensor
from .install import FUNCTIONS

USUAL_RANK = 6


def _basis(A: Tensor, q: int, niter: int, M: Tensor | None) -> Tensor:  # noqa: N803  torch's name of the parameter
    """Orthogonal directions that A - M maps nearly everything to; each round brings them nearer."""
    qr, matmul, randn = FUNCTIONS["linalg_qr"], FUNCTIONS["matmul"], FUNCTIONS["randn"]

    def moved(adjoint: bool, vectors: Tensor) -> Tensor:
        image = matmul(A.mH if adjoint else A, vectors)
        return image if M is None else image - matmul(M.mH if adjoint else M, vectors)

    directions = qr(moved(False, randn(A.shape[-1], q, dtype=A.dtype, device=A.device))).Q
    for _ in range(niter):
        directions = qr(moved(True, directions)).Q
        directions = qr(moved(False, directions)).Q
    return directions


def svd_lowrank(A: Tensor, q: int | None = USUAL_RANK, niter: int | None = 2,  # noqa: N803
                M: Tensor | None = None) -> tuple[Tensor, Tensor, Tensor]:  # noqa: N803
    """The largest singular values of A - M and their vectors, about q of them."""
    m, n = A.shape[-2:]
    if M is not None:
        M = M.broadcast_to(A.size())  # noqa: N806
    if m < n:
        A, M = A.mH, None if M is None else M.mH  # noqa: N806
    directions = _basis(A, USUAL_RANK if q is None else q, 2 if niter is None else niter, M)
    matmul = FUNCTIONS["matmul"]
    inside = matmul(directions.mH, A)
    if M is not None:
        inside = inside - matmul(directions.mH, M)
    left, values, right = FUNCTIONS["linalg_svd"](inside, full_matrices=False)
    left, right = directions.matmul(left), right.mH
    return (right, values, left) if m < n else (left, values, right)


def pca_lowrank(A: Tensor, q: int | None = None, center: bool = True,  # noqa: N803
                niter: int = 2) -> tuple[Tensor, Tensor, Tensor]:
    """The principal components of rows: singular values of a matrix without the mean of its columns."""
    m, n = A.shape[-2:]
    if q is None:
        q = min(USUAL_RANK, m, n)
    elif not 0 <= q <= min(m, n):
        raise ValueError(f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}")
    if niter < 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    return svd_lowrank(A - A.mean(dim=(-2,), keepdim=True) if center else A, q, niter=niter, M=None)


FUNCTIONS.update(svd_lowrank=svd_lowrank, pca_lowrank=pca_lowrank)
