"""A few of the largest or smallest eigenvalues of a symmetric matrix, found by iteration."""

from __future__ import annotations

from ..autograd.grad_mode import no_grad
from ..core.modes import is_grad_enabled
from ..core.tensor import Tensor
from .install import FUNCTIONS

MATRIX_DIMS = 2
# A residual is small where rounding alone leaves as much: the root of a type's precision.
TOLERANCES = {"float32": 3.5e-4, "float64": 1.5e-8}
DEPENDENT = {"float32": 1e-6, "float64": 1e-14}  # directions this short beside the longest add nothing to a basis
SHORTEST = 1e-30  # a residual of zero is not divided by zero
MOST_ROUNDS = 1000  # where the caller sets no limit


def lobpcg(A: Tensor, k: int | None = None, B: Tensor | None = None, X: Tensor | None = None,  # noqa: N803
           n: int | None = None, iK: Tensor | None = None, niter: int | None = None,  # noqa: N803
           tol: float | None = None, largest: bool | None = None, method: str | None = None, tracker=None,
           ortho_iparams: dict | None = None, ortho_fparams: dict | None = None,
           ortho_bparams: dict | None = None) -> tuple[Tensor, Tensor]:
    """Eigenvalues and eigenvectors of A, or of the pair A and B, by locally optimal conjugate gradients.

    Where a gradient is wanted, all of them are computed and a few returned. Every ``method`` is the same one here,
    and the parameters of torch's orthogonalisation are not needed.
    """
    if A.shape[-1] != A.shape[-2]:
        raise AssertionError(f"A must be square, got shape {A.shape}")
    k = (1 if X is None else X.shape[-1]) if k is None else k
    width = (k if X is None else X.shape[-1]) if n is None else n
    if A.shape[-1] < 3 * width:
        raise ValueError(f"LOBPCG algorithm is not applicable when the number of A rows (={A.shape[-1]}) is smaller "
                         f"than 3 x the number of requested eigenpairs (={width})")
    largest = largest is not False
    if is_grad_enabled() and (A.requires_grad or (B is not None and B.requires_grad)):
        return _some_of_all(A, B, k, largest)
    if A.dim() > MATRIX_DIMS:
        pairs = [lobpcg(a, k, None if B is None else B[i], None if X is None else X[i], width, iK, niter, tol, largest)
                 for i, a in enumerate(A)]
        return tuple([FUNCTIONS["stack"](parts) for parts in zip(*pairs)])
    start = FUNCTIONS["randn"](A.shape[-1], width, dtype=A.dtype, device=A.device) if X is None else X
    search = _Search(A, B, iK, largest, TOLERANCES[A.dtype.name] if tol is None else tol)
    with no_grad():
        values, vectors = search.run(start, MOST_ROUNDS if niter is None or niter < 0 else niter)
    return values[:k], vectors[:, :k]


def _some_of_all(A: Tensor, B: Tensor | None, k: int, largest: bool) -> tuple[Tensor, Tensor]:  # noqa: N803
    """The same from a whole decomposition, which autograd can go back through."""
    eigh, solve = FUNCTIONS["linalg_eigh"], FUNCTIONS["linalg_solve_triangular"]
    if B is None:
        values, vectors = eigh(A)
    else:
        lower = FUNCTIONS["linalg_cholesky"](B)
        half = solve(lower, A, upper=False)
        values, vectors = eigh(solve(lower, half.mH, upper=False))
        vectors = solve(lower.mH, vectors, upper=True)
    if largest:
        values, vectors = values.flip(-1), vectors.flip(-1)
    return values[..., :k], vectors[..., :k]


class _Search:
    """One matrix, and the directions in which its eigenvectors are sought."""

    def __init__(self, A: Tensor, B: Tensor | None, preconditioner: Tensor | None, largest: bool,  # noqa: N803
                 tolerance: float):
        self.A, self.B, self.preconditioner = A, B, preconditioner
        self.largest, self.tolerance = largest, tolerance

    def weighed(self, vectors: Tensor) -> Tensor:
        return vectors if self.B is None else self.B @ vectors

    def run(self, vectors: Tensor, rounds: int) -> tuple[Tensor, Tensor]:
        """Improve vectors round by round, each in the span of them, their residuals and their last change."""
        width = vectors.shape[-1]
        values, vectors = self.best(vectors, width)
        change = None
        for _ in range(rounds):
            residual = self.A @ vectors - self.weighed(vectors) * values
            if self.has_converged(residual, values, vectors):
                break
            if self.preconditioner is not None:
                residual = self.preconditioner @ residual
            span = [vectors, residual] + ([] if change is None else [change])
            before = vectors
            values, vectors = self.best(FUNCTIONS["cat"](span, -1), width)
            change = vectors - before @ (before.mH @ self.weighed(vectors))
        return values, vectors

    def has_converged(self, residual: Tensor, values: Tensor, vectors: Tensor) -> bool:
        norm = FUNCTIONS["linalg_vector_norm"]
        scale = (norm(self.A) + values.abs() * (1 if self.B is None else norm(self.B))) * norm(vectors, 2, [0])
        return bool((norm(residual, 2, [0]) < scale * self.tolerance).all())

    def best(self, span: Tensor, width: int) -> tuple[Tensor, Tensor]:
        """The eigenvalues and eigenvectors of the matrix within a span, the wanted ones first."""
        eigh = FUNCTIONS["linalg_eigh"]
        span = span / FUNCTIONS["linalg_vector_norm"](span, 2, [0], True).clamp_min(SHORTEST)
        lengths, directions = eigh(span.mH @ self.weighed(span))
        is_long = lengths > lengths[-1] * DEPENDENT[span.dtype.name]
        basis = span @ (directions[:, is_long] / lengths[is_long].sqrt())
        values, mixed = eigh(basis.mH @ (self.A @ basis))
        if self.largest:
            values, mixed = values.flip(0), mixed.flip(-1)
        return values[:width], basis @ mixed[:, :width]


FUNCTIONS["lobpcg"] = lobpcg
