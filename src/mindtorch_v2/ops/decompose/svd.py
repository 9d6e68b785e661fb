# cython: annotation_typing=False
"""Singular values and singular vectors."""

from __future__ import annotations

from ...autograd.tangents import is_differentiated
from ...core import dtype as dtypes
from ...core.kinds import holds_many
from ...core.tensor import ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec
from . import matrices
from .eigh import differences
from .matrices import by_columns, by_rows, raise_for

ONLY_CUDA = "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend."


class LinalgSvdInner(Op):
    """A = U diag(S) Vh; vectors only where they are asked for, and all of them or as many as there are values."""

    schema = ("_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None) "
              "-> (Tensor U, Tensor S, Tensor Vh)")
    results = "U S Vh"
    variants = "U"
    node = "LinalgSvdBackward0"
    conjugate = False

    def meta(A, full_matrices, compute_uv, driver):
        matrices.check_matrix(A, "linalg.svd")
        matrices.check_floating(A, "linalg.svd")
        *batch, m, n = shape_of(A)
        k = min(m, n)
        values = by_rows((*batch, k), A.dtype.to_real())
        if not compute_uv:
            return Spec((0,), A.dtype), values, Spec((0,), A.dtype)
        return (by_columns((*batch, m, m if full_matrices else k), A.dtype), values,
                by_columns((*batch, n if full_matrices else k, n), A.dtype))

    def into(U, S, Vh, A, full_matrices, compute_uv, driver):
        if driver is not None:
            raise RuntimeError(ONLY_CUDA)
        if numel_of(A) == 0:
            if compute_uv and full_matrices:
                for vectors in (U, Vh):
                    if numel_of(vectors):
                        aten.zero_(vectors)
                        aten.fill_(aten.diagonal(vectors, 0, -2, -1), 1)
            return
        info = aten.zeros(shape_of(A)[:-2], dtype=dtypes.int32)
        A = matrices.copied_by_columns(A)
        matrices.check_kernel(A.dtype, "linalg_svd_cpu")
        run.gesdd(U, S, Vh, A, info, full_matrices, compute_uv)
        raise_for(info, "linalg.svd", A)

    def grads(grads, U, S, Vh, full_matrices, compute_uv):
        of_U, of_S, of_Vh = grads
        if not compute_uv:
            raise RuntimeError("svd_backward: Setting `compute_uv` to false in torch.svd doesn't compute singular "
                               "matrices, and hence we cannot compute backward. Please use "
                               "torch.svd(compute_uv=True)")
        if full_matrices:
            k = shape_of(S)[-1]
            U, of_U = [t if t is None else aten.narrow(t, -1, 0, k) for t in (U, of_U)]
            Vh, of_Vh = [t if t is None else aten.narrow(t, -2, 0, k) for t in (Vh, of_Vh)]
        return [svd_gradient(of_U, of_S, of_Vh, U, S, Vh)]


def svd_gradient(of_U, of_S, of_Vh, U, S, Vh):
    """What falls on the values lies between the vectors; what falls on vectors turns one against the others."""
    m, n = shape_of(U)[-2], shape_of(Vh)[-1]
    if of_U is None and of_Vh is None:
        if of_S is None:
            return None
        return (aten.matmul(U, aten.mul(aten.unsqueeze(of_S, -1), Vh)) if m >= n
                else aten.matmul(aten.mul(U, aten.unsqueeze(of_S, -2)), Vh))
    in_U = None if of_U is None else _skew(aten.matmul(aten.mH(U), of_U))
    in_V = None if of_Vh is None else _skew(aten.matmul(Vh, aten.mH(of_Vh)))
    if U.is_complex():
        _check_phase(in_U, in_V, S)
    inner = _between(in_U, in_V, of_S, S)
    k = shape_of(S)[-1]
    if m > k and of_U is not None:
        rest = aten.div(of_U, aten.unsqueeze(S, -2))
        rest = aten.sub(rest, aten.matmul(U, aten.matmul(aten.mH(U), rest)))
        return aten.matmul(aten.add(aten.matmul(U, inner), rest), Vh)
    if n > k and of_Vh is not None:
        rest = aten.div(of_Vh, aten.unsqueeze(S, -1))
        rest = aten.sub(rest, aten.matmul(aten.matmul(rest, aten.mH(Vh)), Vh))
        return aten.matmul(U, aten.add(aten.matmul(inner, Vh), rest))
    return aten.matmul(U, aten.matmul(inner, Vh)) if m >= n else aten.matmul(aten.matmul(U, inner), Vh)


def _skew(t):
    return aten.sub(t, aten.mH(t))


def _between(in_U, in_V, of_S, S):
    """The gradient as it stands between both sets of vectors."""
    squares = differences(aten.mul(S, S))
    by_column, by_row = aten.unsqueeze(S, -2), aten.unsqueeze(S, -1)
    if in_V is None:
        inner = aten.mul(aten.div(in_U, squares), by_column)
    elif in_U is None:
        inner = aten.mul(by_row, aten.div(in_V, squares))
    else:
        inner = aten.div(aten.add(aten.mul(in_U, by_column), aten.mul(by_row, in_V)), squares)
    if of_S is not None:
        inner = aten.add(inner, aten.diag_embed(of_S))
    if in_U is not None and in_V is not None and in_U.is_complex():
        inner = aten.sub(inner, aten.diag_embed(aten.diagonal(inner, 0, -2, -1))) if of_S is None else inner
        inner = aten.add(inner, aten.diag_embed(aten.div(aten.diagonal(in_U, 0, -2, -1), aten.mul(S, 2))))
    return inner


def _check_phase(in_U, in_V, S) -> None:
    """Complex vectors can be turned at will in pairs; a loss that depends on how they are has no gradient."""
    of_U, of_V = [aten.zeros_like(S) if t is None else aten.imag(aten.diagonal(t, 0, -2, -1)) for t in (in_U, in_V)]
    if not holds_many(of_U, of_V) and not aten.allclose(of_U, aten.neg(of_V), 1e-2, 1e-2):
        raise RuntimeError("svd_backward: The singular vectors in the complex case are specified up to multiplication "
                           "by e^{i phi}. The specified loss function depends on this phase term, making it "
                           "ill-defined.")


class LinalgSvd(Op):
    """A = U diag(S) Vh."""

    schema = ("linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) "
              "-> (Tensor U, Tensor S, Tensor Vh)")
    results = "U S Vh"
    variants = "U"

    def body(A, full_matrices, driver):
        return aten._linalg_svd(A, full_matrices, True, driver=driver)

    def out(A, full_matrices, driver, U, S, Vh):
        return aten._linalg_svd(A, full_matrices, True, driver=driver, U=U, S=S, Vh=Vh)


class LinalgSvdvals(Op):
    """Singular values, the largest first."""

    schema = "linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor"
    variants = "out"

    def body(A, driver, out=None):
        if out is None:
            return aten._linalg_svd(A, False, is_differentiated(A), driver=driver)[1]
        U, Vh = aten.empty((0,), dtype=A.dtype), aten.empty((0,), dtype=A.dtype)
        return aten._linalg_svd(A, False, False, driver=driver, U=U, S=out, Vh=Vh)[1]


def _check(self) -> None:
    if ndim_of(self) < 2:
        raise RuntimeError(f"linalg.svd: input should have at least 2 dimensions, but has {ndim_of(self)} dimensions "
                           "instead")


class Svd(Op):
    """The older form: A = U diag(S) Vᴴ; without vectors, zeros stand in their place."""

    schema = "svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)"
    results = "U S V"
    variants = "method U"

    def body(self, some, compute_uv):
        _check(self)
        if compute_uv:
            U, S, Vh = aten.linalg_svd(self, not some)
        else:
            S = aten.linalg_svdvals(self)
            *batch, m, n = shape_of(self)
            U, Vh = [aten.zeros((*batch, size, size), dtype=self.dtype) for size in (m, n)]
        return U, S, aten.mH(Vh)

    def out(self, some, compute_uv, U, S, V):
        _check(self)
        if compute_uv:
            if ndim_of(V) >= 2:
                aten.transpose_(V, -2, -1)
            aten.linalg_svd(self, not some, U=U, S=S, Vh=V)
            aten.transpose_(V, -2, -1)
            if V.is_complex():
                aten.conj_physical(V, out=V)
            return U, S, V
        aten.linalg_svdvals(self, out=S)
        *batch, m, n = shape_of(self)
        for vectors, size in ((U, m), (V, n)):
            aten.zero_(aten.resize_(vectors, (*batch, size, size)))
        return U, S, V
