# cython: annotation_typing=False
"""Determinants, which the LU decomposition gives, and their logarithms."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core.kinds import holds_many
from ...core.modes import is_grad_enabled
from ...core.tensor import is_in_order, shape_of
from ...devices.facts import has_values
from ...dispatch.aten import aten
from ...opdef.form import Op
from . import matrices
from .matrices import by_columns, by_rows


def _specs(A, name: str, *types):
    matrices.check_square(A, name)
    matrices.check_floating(A, name)
    batch = shape_of(A)[:-2]
    return (*[by_rows(batch, dtype) for dtype in types], by_columns(shape_of(A), A.dtype),
            by_rows(shape_of(A)[:-1], dtypes.int32))


def _is_turned(A) -> bool:
    """Whether torch decomposes the transpose, which it can copy as it lies and has the same determinant."""
    return is_in_order(A) and not A.is_complex()


def _factor(A, LU, pivots) -> None:
    info = aten.empty((0,), dtype=dtypes.int32)
    aten.linalg_lu_factor_ex(aten.mH(A) if _is_turned(A) else A, pivot=True, check_errors=False, LU=LU, pivots=pivots,
                             info=info)


def _sign_of_order(pivots):
    """1 for each even series of exchanges and -1 for each odd one."""
    rows = aten.arange(1, shape_of(pivots)[-1] + 1, dtype=dtypes.int32)
    exchanges = aten.sum(aten.ne(rows, pivots), (-1,), False)
    return aten.add_(aten.mul_(aten.fmod_(exchanges, 2), -2), 1)


class LinalgDetInner(Op):
    """The determinant of each matrix, and the triangles by which it was found."""

    schema = "_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)"
    results = "result LU pivots"
    variants = "result"
    node = "LinalgDetBackward0"
    no_grad_for = "LU pivots"
    conjugate = False

    def meta(A):
        return _specs(A, "linalg.det", A.dtype)

    def into(result, LU, pivots, A):
        _factor(A, LU, pivots)
        product = aten.prod(aten.diagonal(LU, 0, -2, -1), -1, False)
        aten.mul(product, _sign_of_order(pivots), out=result)

    def grads(grads, result, A, LU, pivots):
        if grads[0] is None:
            return [None]
        scale = aten.mul(grads[0], _conj(result))
        on_diagonal = _diagonal(scale, pivots)
        if not is_grad_enabled():
            LU = aten.add(LU, aten.diag_embed(_nudge(LU)))
            return [aten.linalg_lu_solve(LU, pivots, on_diagonal, left=True, adjoint=not _is_turned(A))]
        if has_values(A) and not holds_many(result) and aten.item(aten.any(aten.eq(result, 0))):
            return [_adjugate(A, grads[0])]
        return [aten.linalg_solve(aten.mH(A), on_diagonal)]


def _conj(t):
    return aten._conj(t) if t.is_complex() else t


def _nudge(LU):
    """What is added to zeros on the diagonal: a determinant has a derivative where its matrix has no inverse."""
    diagonal = aten.diagonal(LU, 0, -2, -1)
    eps = dtypes.finfo(LU.dtype).eps
    return aten.mul(aten.to(aten.eq(diagonal, 0), LU.dtype), eps)


def _diagonal(numbers, pivots):
    """A matrix for each number, with it all along the diagonal."""
    return aten.diag_embed(aten.expand(aten.unsqueeze(numbers, -1), shape_of(pivots)))


def _adjugate(A, grad):
    """The gradient by singular values: of each the product of all others."""
    U, S, Vh = aten.linalg_svd(A)
    n = shape_of(S)[-1]
    rest = [aten.cat((aten.narrow(S, -1, 0, i), aten.narrow(S, -1, i + 1, n - i - 1)), -1) for i in range(n)]
    others = aten.stack([aten.prod(numbers, -1, False) for numbers in rest], -1)
    turn = _conj(aten.mul(aten.linalg_det(U), aten.linalg_det(Vh)))
    weights = aten.mul(aten.unsqueeze(aten.mul(grad, turn), -1), others)
    return aten.matmul(aten.mul(U, aten.unsqueeze(weights, -2)), Vh)


class LinalgDet(Op):
    """The determinant of each matrix."""

    schema = "linalg_det(Tensor A) -> Tensor"
    variants = "out"

    def body(A, out=None):
        if out is None:
            return aten._linalg_det(A)[0]
        LU, pivots = aten.empty((0,), dtype=A.dtype), aten.empty((0,), dtype=dtypes.int32)
        return aten._linalg_det(A, result=out, LU=LU, pivots=pivots)[0]


class Det(Op):
    """linalg_det() by its older name."""

    schema = "det(Tensor self) -> Tensor"
    variants = "method"

    def body(self):
        return aten.linalg_det(self)


class LinalgSlogdetInner(Op):
    """Sign and logarithm of each determinant, and the triangles by which they were found."""

    schema = "_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots)"
    results = "sign logabsdet LU pivots"
    variants = "sign"
    node = "LinalgSlogdetBackward0"
    no_grad_for = "LU pivots"
    conjugate = False

    def meta(A):
        return _specs(A, "linalg.slogdet", A.dtype, A.dtype.to_real())

    def into(sign, logabsdet, LU, pivots, A):
        _factor(A, LU, pivots)
        diagonal = aten.diagonal(LU, 0, -2, -1)
        order = _sign_of_order(pivots)
        signs = aten.sgn(diagonal)
        aten.mul(aten.prod(signs, -1, False), order, out=sign)
        sizes = aten.log_(aten.abs(diagonal))
        aten.sum(sizes, (-1,), False, out=logabsdet)

    def grads(grads, A, sign, LU, pivots):
        of_sign, scale = grads[0], grads[1]
        if A.is_complex() and of_sign is not None:
            turn = aten.mul(aten._conj(of_sign), sign)
            turn = aten.mul(aten.sub(aten._conj(turn), turn), 0.5)  # the imaginary part, negated
            scale = turn if scale is None else aten.add(scale, turn)
        if scale is None:
            return [aten.zeros_like(A) if of_sign is not None else None]
        on_diagonal = _diagonal(scale if scale.dtype is A.dtype else aten.to(scale, A.dtype), pivots)
        if is_grad_enabled():
            return [aten.linalg_solve(aten.mH(A), on_diagonal)]
        return [aten.linalg_lu_solve(LU, pivots, on_diagonal, left=True, adjoint=not _is_turned(A))]


class LinalgSlogdet(Op):
    """Sign and logarithm of the absolute value of each determinant."""

    schema = "linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)"
    results = "sign logabsdet"
    variants = "out"

    def body(A):
        sign, logabsdet, _, _ = aten._linalg_slogdet(A)
        return sign, logabsdet

    def out(A, sign, logabsdet):
        LU, pivots = aten.empty((0,), dtype=A.dtype), aten.empty((0,), dtype=dtypes.int32)
        aten._linalg_slogdet(A, sign=sign, logabsdet=logabsdet, LU=LU, pivots=pivots)
        return sign, logabsdet


class Slogdet(Op):
    """linalg_slogdet() by its older name."""

    schema = "slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)"
    results = "sign logabsdet"
    variants = "method out"

    def body(self):
        return aten.linalg_slogdet(self)

    def out(self, sign, logabsdet):
        return aten.linalg_slogdet(self, sign=sign, logabsdet=logabsdet)


class Logdet(Op):
    """The logarithm of each determinant; of a negative one it is nan."""

    schema = "logdet(Tensor self) -> Tensor"
    variants = "method"

    def body(self):
        matrices.check_square(self, "logdet")
        matrices.check_floating(self, "logdet", low_precision=False)
        sign, logabsdet = aten.linalg_slogdet(self)
        if self.is_complex():
            return aten.add(aten.log(sign), logabsdet)
        return aten.where(aten.eq(sign, -1), math.nan, logabsdet)
