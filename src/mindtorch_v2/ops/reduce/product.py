"""Products over dimensions, and their derivative, which must not divide by an element that is zero."""

from __future__ import annotations

import numpy as np

from ...core.device import contiguous_format
from ...core.geometry import wrap_dim
from ...core.tensor import blank
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import reduced_shape
from .sums import accumulator, reduce_array, sum_type


def _multiply_into(out, self, dim, keepdim: bool):
    shape = self._mt_array.shape
    shown = out if keepdim else accumulator(out, shape, dim)
    if self.dtype is not out.dtype:
        self = aten.to(self, out.dtype)
    if self._mt_array.size == 0:
        return aten.fill_(out, 1)
    aten.fill_(shown, 1)
    dims = tuple(range(len(shape))) if dim is None else (wrap_dim(dim, len(shape)),)
    reduce_array(np.multiply, self._mt_array, dims, shown._mt_array)
    return out


class Prod(Op):
    """The product of all elements."""

    schema = "prod(Tensor self, *, ScalarType? dtype=None) -> Tensor"
    variants = "method"

    def body(self, dtype):
        return _multiply_into(aten.empty((), dtype=sum_type(self, dtype)), self, None, False)

    def grad_self(grad, self, result):
        self = aten.to(self, grad.dtype)
        if self.dim() == 0:
            return grad
        zeros = aten.nonzero(aten.eq(self, 0))._mt_array.shape[0]
        if zeros == 0:
            return aten.mul(grad, aten.div(result, self))
        if zeros > 1:
            return aten.zeros_like(self, memory_format=contiguous_format)
        flat = aten.view(self, (-1,)) if self.is_contiguous() else aten.reshape(self, (-1,))
        return aten.view_as(others(grad, flat, 0), self)


class ProdDim(Op):
    """The product over one dimension."""

    schema = "prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"
    variants = "method"
    node = "ProdBackward1"

    def body(self, dim, keepdim, dtype):
        out = blank(reduced_shape(self._mt_array.shape, dim, keepdim), sum_type(self, dtype))
        return _multiply_into(out, self, dim, keepdim)

    def grad_self(grad, self, result, dim, keepdim):
        self = aten.to(self, grad.dtype)
        if self.dim() == 0:
            return grad
        dim = wrap_dim(dim, self.dim())
        if not keepdim:
            grad, result = aten.unsqueeze(grad, dim), aten.unsqueeze(result, dim)
        zeros = aten.sum(aten.eq(self, 0), (dim,), True)
        if aten.item(aten.sum(zeros)) == 0:
            return aten.mul(grad, aten.div(result, self))
        return others(grad, self, dim)


def others(grad, self, dim: int):
    """For each element the product of all others: those before it times those after it."""
    size = self._mt_array.shape[dim]
    if size == 1:
        return grad
    shape = tuple(1 if i == dim else n for i, n in enumerate(self._mt_array.shape))
    ones = aten.ones(shape, dtype=self.dtype)
    before = aten.cumprod(aten.cat([ones, aten.narrow(self, dim, 0, size - 1)], dim), dim)
    later = aten.flip(aten.narrow(self, dim, 1, size - 1), (dim,))
    after = aten.flip(aten.cumprod(aten.cat([ones, later], dim), dim), (dim,))
    return aten.mul(grad, aten.mul(before, after))
