# cython: annotation_typing=False
"""Eigenvalues and eigenvectors of matrices that are their own adjoint."""

from __future__ import annotations

from ...autograd.tangents import is_differentiated
from ...core import dtype as dtypes
from ...core.kinds import holds_many
from ...core.tensor import numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec
from . import matrices
from .matrices import by_columns, by_rows, lapack_workspace, raise_for

UNBLOCKED = 16  # rows from which MKL works block by block and asks for more memory


class LinalgEighInner(Op):
    """Eigenvalues in order, and eigenvectors where they are asked for, read off one half of each matrix."""

    schema = '_linalg_eigh(Tensor A, str UPLO="L", bool compute_v=True) -> (Tensor eigenvalues, Tensor eigenvectors)'
    results = "eigenvalues eigenvectors"
    variants = "eigenvalues"
    node = "LinalgEighBackward0"
    conjugate = False

    def meta(A, UPLO, compute_v):
        matrices.check_square(A, "linalg.eigh")
        if UPLO[:1].upper() not in ("L", "U") or len(UPLO) != 1:
            raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
        vectors = by_columns(shape_of(A), A.dtype) if compute_v else Spec((0,), A.dtype)
        return by_rows(shape_of(A)[:-1], A.dtype.to_real()), vectors

    def into(eigenvalues, eigenvectors, A, UPLO, compute_v):
        if numel_of(A) == 0:
            return
        if compute_v:
            aten.copy_(eigenvectors, A)
        else:
            eigenvectors = matrices.copied_by_columns(A)
        info = aten.zeros(shape_of(A)[:-2], dtype=dtypes.int32)
        matrices.check_kernel(A.dtype, "linalg_eigh_cpu")
        _workspaces(A, compute_v)
        run.syevd(eigenvalues, eigenvectors, info, UPLO.upper() == "U", compute_v)
        raise_for(info, "linalg.eigh", A)

    def grads(grads, eigenvalues, eigenvectors, compute_v):
        if not compute_v:
            raise RuntimeError("linalg_eigh: torch.linalg.eigvalsh doesn't compute eigenvectors, and hence cannot be "
                               "differentiated")
        return [_gradient(grads[0], grads[1], eigenvalues, eigenvectors)]


def _workspaces(A, compute_v: bool) -> None:
    n = shape_of(A)[-1]
    if n == 1:
        sizes = (2, 1, 2)
    elif compute_v:
        sizes = (n * n + 2 * n + 1 if A.is_complex() else 2 * n * n + 6 * n + 2, 5 * n + 3, 2 * n * n + 5 * n + 2)
    else:
        sizes = (2 * n + 1 if A.is_complex() else (3 if n < UNBLOCKED else 14) * n + 1, 1, n + 1)
    lapack_workspace(sizes[0], A.dtype)
    lapack_workspace(sizes[1], dtypes.int32)
    if A.is_complex():
        lapack_workspace(sizes[2], A.dtype.to_real())


def check_phase(diagonal, function: str) -> None:
    """Complex eigenvectors can be turned at will; a loss that depends on how they are has no gradient."""
    imaginary = aten.imag(diagonal)
    if not holds_many(imaginary) and not aten.allclose(imaginary, aten.zeros_like(imaginary), 1e-2, 1e-2):
        raise RuntimeError(f"{function}: The eigenvectors in the complex case are specified up to multiplication by "
                           "e^{i phi}. The specified loss function depends on this quantity, so it is ill-defined.")


def differences(values):
    """Of every two numbers, the one by columns less the one by rows; ones on the diagonal, by which is divided."""
    between = aten.sub(aten.unsqueeze(values, -2), aten.unsqueeze(values, -1))
    aten.fill_(aten.diagonal(between, 0, -2, -1), 1)
    return between


def _gradient(of_values, of_vectors, values, vectors):
    if of_values is None and of_vectors is None:
        return None
    adjoint = aten.mH(vectors)
    if of_vectors is None:
        return aten.matmul(aten.mul(vectors, aten.unsqueeze(of_values, -2)), adjoint)
    turned = aten.matmul(adjoint, of_vectors)
    if vectors.is_complex():
        check_phase(aten.diagonal(turned, 0, -2, -1), "linalg_eigh_backward")
    turned = aten.mul(aten.sub(turned, aten.mH(turned)), 0.5)
    inner = aten.div(turned, differences(values))
    if of_values is not None:
        inner = aten.add(inner, aten.diag_embed(of_values))
    return aten.matmul(vectors, aten.matmul(inner, adjoint))


class LinalgEigh(Op):
    """Eigenvalues in order, and eigenvectors, read off one half of each matrix."""

    schema = 'linalg_eigh(Tensor self, str UPLO="L") -> (Tensor eigenvalues, Tensor eigenvectors)'
    results = "eigenvalues eigenvectors"
    variants = "eigvals(eigvals,eigvecs)"

    def body(self, UPLO):
        return aten._linalg_eigh(self, UPLO, True)

    def out(self, UPLO, eigvals, eigvecs):
        return aten._linalg_eigh(self, UPLO, True, eigenvalues=eigvals, eigenvectors=eigvecs)


class LinalgEigvalsh(Op):
    """Eigenvalues in order, read off one half of each matrix."""

    schema = 'linalg_eigvalsh(Tensor self, str UPLO="L") -> Tensor'
    variants = "out"

    def body(self, UPLO, out=None):
        if out is None:
            return aten._linalg_eigh(self, UPLO, is_differentiated(self))[0]
        vectors = aten.empty((0,), dtype=self.dtype)
        return aten._linalg_eigh(self, UPLO, False, eigenvalues=out, eigenvectors=vectors)[0]
