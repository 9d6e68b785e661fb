# cython: annotation_typing=False
"""Distances of every vector of one set to every vector of another, or to the others of its own."""

from __future__ import annotations

from math import prod

from ...core import dtype as dtypes
from ...core.geometry import broadcast_shapes, wrap_dim
from ...core.tensor import is_in_order, ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec, like
from ..shared.layout import IN_ORDER, in_order
from ..shared.not_differentiable import unknown_derivative

_REAL = (dtypes.float32, dtypes.float64)
# When Euclid's distance comes from a product of matrices: where sets are large, always, never.
LARGE_SETS, ALWAYS, NEVER = range(3)
_LARGE = 25


def _cdist_check(x1, x2, p, compute_mode) -> None:
    for name, t in (("X1", x1), ("X2", x2)):
        if ndim_of(t) < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, {name} got: {ndim_of(t)}D")
    for name, t in (("X1", x1), ("X2", x2)):
        if t.dtype.category != dtypes.FLOATING:
            raise RuntimeError(f"cdist only supports floating-point dtypes, {name} got: {t.dtype.short}")
    if shape_of(x1)[-1] != shape_of(x2)[-1]:
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {shape_of(x1)[-1]} X2: "
                           f"{shape_of(x2)[-1]}")
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")
    if compute_mode is not None and not 0 <= compute_mode <= 2:
        raise RuntimeError(f"possible modes: 0, 1, 2, but was: {compute_mode}")


def _by_product(x1, x2, p, compute_mode) -> bool:
    """Whether Euclid's distance comes from a product of matrices."""
    if p != 2 or compute_mode == NEVER or not numel_of(x1) or not numel_of(x2):
        return False
    return compute_mode == ALWAYS or max(shape_of(x1)[-2], shape_of(x2)[-2]) > _LARGE


def _batches(x1, x2) -> tuple[int, ...]:
    return broadcast_shapes(shape_of(x1)[:-2], shape_of(x2)[:-2])


def _in_one_batch(t, batches: tuple[int, ...]):
    """Expanded to all batches, which are seen as one."""
    rows = shape_of(t)[-2:]
    return aten.view(in_order(aten.expand(t, (*batches, *rows))), (prod(batches), *rows))


def _euclidean(x1, x2):
    batches = _batches(x1, x2)
    one, two = _in_one_batch(x1, batches), _in_one_batch(x2, batches)
    if not batches:
        one, two = x1, x2
    return aten.view(aten._euclidean_dist(one, two), (*batches, shape_of(x1)[-2], shape_of(x2)[-2]))


def _distances(x1, x2, p):
    batches = _batches(x1, x2)
    one, two = _in_one_batch(x1, batches), _in_one_batch(x2, batches)
    shape = (*batches, shape_of(x1)[-2], shape_of(x2)[-2])
    if prod(shape) and not shape_of(x1)[-1]:
        return aten.zeros(shape, dtype=x1.dtype)
    if x1.dtype not in _REAL:
        raise not_implemented("cdist", x1.dtype)
    if x2.dtype is not x1.dtype:
        raise RuntimeError(f"expected scalar type {x1.dtype.short} but found {x2.dtype.short}")
    out = aten.empty(shape, dtype=x1.dtype)
    if numel_of(out):
        run.cdist(out, one, two, p)
    return out


class Cdist(Op):
    """Distances between the rows of two matrices, batch by batch."""

    schema = "cdist(Tensor x1, Tensor x2, float p=2., int? compute_mode=None) -> Tensor"
    internal = "torch.cdist takes compute_mode as a word"

    def body(x1, x2, p, compute_mode):
        _cdist_check(x1, x2, p, compute_mode)
        if _by_product(x1, x2, p, compute_mode):
            return _euclidean(x1, x2)
        return aten._cdist_forward(x1, x2, p, compute_mode)


class CdistForward(Op):
    """The same below autograd."""

    schema = "_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor"
    node = "CdistBackward0"

    def meta(x1, x2, p, compute_mode):
        _cdist_check(x1, x2, p, compute_mode)
        return Spec((*_batches(x1, x2), shape_of(x1)[-2], shape_of(x2)[-2]), x1.dtype)

    def body(x1, x2, p, compute_mode):
        return _euclidean(x1, x2) if _by_product(x1, x2, p, compute_mode) else _distances(x1, x2, p)

    def composed(x1, x2, p, compute_mode):
        return aten.linalg_vector_norm(aten.sub(aten.unsqueeze(x1, -2), aten.unsqueeze(x2, -3)), p, (-1,))

    def grad_x1(grad, x1, x2, p, result):
        return aten._cdist_backward(in_order(grad), x1, x2, p, result)

    def grad_x2(grad, x1, x2, p, result):
        distances = in_order(aten.mT(result))
        return aten._cdist_backward(in_order(aten.mT(grad)), x2, x1, p, distances)


class CdistBackward(Op):
    """Derivative of cdist by the first set."""

    schema = "_cdist_backward(Tensor grad, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor"
    node = "CdistBackwardBackward0"
    grad_grad = grad_x1 = grad_x2 = grad_cdist = unknown_derivative("_cdist_backward")

    def meta(grad, x1, x2, p, cdist):
        return Spec((*_batches(x1, x2), *shape_of(x1)[-2:]), x1.dtype)

    def body(grad, x1, x2, p, cdist):
        batches = _batches(x1, x2)
        one, two = [t if shape_of(t)[:-2] == batches else aten.expand(t, (*batches, *shape_of(t)[-2:]))
                    for t in (x1, x2)]
        if not numel_of(one) or not numel_of(two):
            return aten.zeros_like(one)
        one, two, grad, cdist = in_order(one), in_order(two), in_order(grad), in_order(cdist)
        grad_x1 = aten.empty((prod(batches), *shape_of(one)[-2:]), dtype=x1.dtype, memory_format=IN_ORDER)
        aten.fill_(grad_x1, 0)
        run.cdist_backward(grad_x1, grad, one, two, p, cdist)
        return aten.view(grad_x1, shape_of(one))


class EuclideanDist(Op):
    """Euclid's distances by a product of matrices."""

    schema = "_euclidean_dist(Tensor x1, Tensor x2) -> Tensor"

    def body(x1, x2):
        (norm1, ones1), (norm2, ones2) = [_norms_and_ones(t) for t in (x1, x2)]
        one = aten.cat([aten.mul(x1, -2), norm1, ones1], -1)
        two = aten.cat([x2, ones2, norm2], -1)
        return aten.sqrt_(aten.clamp_min_(aten.matmul(one, aten.mT(two)), 0))

    def grads(grad, x1, x2, result, needs):
        ratio = aten.div(grad, result)
        aten.masked_fill_(ratio, aten.eq(result, 0), 0)
        of_x1 = of_x2 = None
        if needs[0]:
            pulled = aten.matmul(ratio, x2)
            of_x1 = aten.sub(aten.mul(x1, aten.sum(ratio, (-1,), True)), pulled)
        if needs[1]:
            pulled = aten.matmul(aten.mT(ratio), x1)
            of_x2 = aten.sub(aten.mul(x2, aten.unsqueeze(aten.sum(ratio, (-2,), False), -1)), pulled)
        return of_x1, of_x2


def _norms_and_ones(t) -> tuple:
    norms = aten.sum(aten.pow(t, 2), (-1,), True)
    return norms, aten.ones_like(norms, memory_format=IN_ORDER)


class Pdist(Op):
    """Distances between the rows of one matrix, each pair once."""

    schema = "pdist(Tensor self, float p=2.) -> Tensor"

    def body(self, p):
        if ndim_of(self) != 2:
            raise RuntimeError(f"pdist only supports 2D tensors, got: {ndim_of(self)}D")
        if self.dtype.category != dtypes.FLOATING:
            raise RuntimeError("pdist only supports floating-point dtypes")
        if p < 0:
            raise RuntimeError("pdist only supports non-negative p values")
        return aten._pdist_forward(in_order(self), p)


class PdistForward(Op):
    """The same below autograd."""

    schema = "_pdist_forward(Tensor self, float p=2.) -> Tensor"
    node = "PdistBackward0"

    def meta(self, p):
        wrap_dim(1, ndim_of(self))
        if not is_in_order(self):
            raise RuntimeError("_pdist_forward requires contiguous input")
        rows = shape_of(self)[0]
        return Spec((rows * (rows - 1) // 2,), self.dtype)

    def body(self, p):
        out = aten.empty((0,), dtype=self.dtype, memory_format=IN_ORDER)
        rows, columns = shape_of(self)
        aten.resize_(out, (rows * (rows - 1) // 2,))
        if rows > 1 and not columns:
            return aten.fill_(out, 0)
        if rows > 1:
            if self.dtype not in _REAL:
                raise not_implemented("pdist", self.dtype)
            run.pdist(out, self, p)
        return out

    def composed(self, p):
        rows = shape_of(self)[0]
        first, second = aten.unbind(aten.triu_indices(rows, rows, 1))
        pairs = aten.index_select(self, 0, first), aten.index_select(self, 0, second)
        return aten.linalg_vector_norm(aten.sub(*pairs), p, (-1,))

    def grad_self(grad, self, p, result):
        return aten._pdist_backward(grad, self, p, result)


class PdistBackward(Op):
    """Derivative of pdist."""

    schema = "_pdist_backward(Tensor grad, Tensor self, float p, Tensor pdist) -> Tensor"
    node = "PdistBackwardBackward0"
    grad_grad = grad_self = grad_pdist = unknown_derivative("_pdist_backward")

    def meta(grad, self, p, pdist):
        for name, t in (("self", self), ("pdist", pdist)):
            if not is_in_order(t):
                raise RuntimeError(f"_pdist_backward requires {name} to be contiguous")
        return like(self)

    def body(grad, self, p, pdist):
        grad_self = aten.fill_(aten.empty_like(self, memory_format=IN_ORDER), 0)
        if numel_of(grad_self) and numel_of(grad):
            run.pdist_backward(grad_self, grad, self, p, pdist)
        return grad_self
