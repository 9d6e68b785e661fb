# cython: annotation_typing=False
"""Products over dimensions, and their derivative, which must not divide by an element that is zero."""

from __future__ import annotations

from ...core.device import contiguous_format
from ...core.geometry import wrap_dim, wrap_dims
from ...core.kinds import holds_many
from ...core.tensor import ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from .reduction import accumulator, check_asked, in_type, prefill, sum_rule, sum_type


def _multiply_into(out, self, dim, keepdim: bool) -> None:
    shown = accumulator(out, self, dim, keepdim)
    self = in_type(self, out.dtype)
    if numel_of(self) == 0:
        aten.fill_(out, 1)
    else:
        prefill(shown, 1)
        run.prod(shown, self, wrap_dims(dim, ndim_of(self)))


class Prod(Op):
    """The product of all elements."""

    schema = "prod(Tensor self, *, ScalarType? dtype=None) -> Tensor"
    variants = "method"

    def meta(self, dtype):
        return sum_rule(self, dtype=dtype)

    def body(self, dtype):
        out = aten.empty((), dtype=sum_type(self, dtype))
        _multiply_into(out, self, None, False)
        return out

    def grad_self(grad, self, result):
        self = aten.to(self, grad.dtype)
        if self.dim() == 0:
            return grad
        zeros = 1 if holds_many(self) else shape_of(aten.nonzero(aten.eq(self, 0)))[0]
        if zeros == 0:
            return aten.mul(grad, aten.div(result, self))
        if zeros > 1:
            return aten.zeros_like(self, memory_format=contiguous_format)
        flat = aten.view(self, (-1,)) if self.is_contiguous() else aten.reshape(self, (-1,))
        return aten.view_as(others(grad, flat, 0), self)


class ProdDim(Op):
    """The product over one dimension."""

    schema = "prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"
    variants = "method int_out"
    node = "ProdBackward1"
    meta = sum_rule
    overlap = "expanded_out shares_inputs"
    out_type = "any"

    def into(out, self, dim, keepdim, dtype):
        check_asked(out, dtype)
        _multiply_into(out, self, dim, keepdim)

    def grad_self(grad, self, result, dim, keepdim):
        self = aten.to(self, grad.dtype)
        if self.dim() == 0:
            return grad
        dim = wrap_dim(dim, self.dim())
        if not keepdim:
            grad, result = aten.unsqueeze(grad, dim), aten.unsqueeze(result, dim)
        zeros = aten.sum(aten.eq(self, 0), (dim,), True)
        if not holds_many(zeros) and aten.item(aten.sum(zeros)) == 0:
            return aten.mul(grad, aten.div(result, self))
        return others(grad, self, dim)


def others(grad, self, dim: int):
    """For each element the product of all others: those before it times those after it."""
    size = shape_of(self)[dim]
    if size == 1:
        return grad
    shape = tuple(1 if i == dim else n for i, n in enumerate(shape_of(self)))
    ones = aten.ones(shape, dtype=self.dtype)
    before = aten.cumprod(aten.cat([ones, aten.narrow(self, dim, 0, size - 1)], dim), dim)
    later = aten.flip(aten.narrow(self, dim, 1, size - 1), (dim,))
    after = aten.flip(aten.cumprod(aten.cat([ones, later], dim), dim), (dim,))
    return aten.mul(grad, aten.mul(before, after))
