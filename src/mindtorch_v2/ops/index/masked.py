# cython: annotation_typing=False
"""Reading and writing under a mask."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import contiguous_format
from ...core.geometry import broadcast_shapes
from ...core.tensor import Tensor, is_in_order, ndim_of, numel_of, shape_of
from ...devices.facts import has_values
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op
from ...opdef.rules import Spec, c_name
from ...opdef.scalars import converted
from ..shared.layout import in_order
from ..shared.values import number_in, require_values
from ..view.view import strided


def _fillable(self, mask, value) -> Spec:
    if mask.dtype is not dtypes.bool_:
        raise RuntimeError(f"masked_fill_ only supports boolean masks, but got mask with dtype {c_name(mask.dtype)}")
    if isinstance(value, Tensor) and ndim_of(value):
        raise RuntimeError("masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                           f"{ndim_of(value)} dimension(s).")
    _no_larger(self, mask)
    return Spec(shape_of(self), self.dtype)


def _no_larger(self, mask) -> None:
    shape = shape_of(self)
    if shape_of(mask) != shape and broadcast_shapes(shape, shape_of(mask)) != shape:
        raise RuntimeError(f"output with shape {list(shape)} doesn't match the broadcast shape "
                           f"{list(broadcast_shapes(shape, shape_of(mask)))}")


def _common(self, mask):
    """Both in one shape; torch expands both as soon as they differ."""
    shape, other = shape_of(self), shape_of(mask)
    if shape == other:
        return self, mask
    wanted = broadcast_shapes(shape, other)
    return aten.expand(self, wanted), aten.expand(mask, wanted)


def _outside(grad, mask):
    """The gradient where the mask is false."""
    return aten.masked_fill(grad, mask, 0)


def _filled(self, mask, value):
    wide, _ = _common(self, mask)
    return aten.masked_fill_(aten.clone(wide, memory_format=contiguous_format), mask, value)


class MaskedFillTensor(Op):
    """The value of a tensor where a mask is true."""

    schema = "masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor"
    overlap = "expanded_warns shares_inputs"
    variants = "method inplace"
    node = "MaskedFillBackward1"
    body = _filled
    grad_self = _outside

    def inplace(self, mask, value):
        _fillable(self, mask, value)
        run.masked_fill(self, mask, converted(number_in(value), self.dtype), self)
        return self

    def grad_value(grad, mask):
        return aten.sum(aten.masked_select(grad, mask))


class MaskedFillInPlace(Op):
    """A number where a mask is true, in the tensor itself."""

    schema = "masked_fill_.Scalar(Tensor(a!) self, Tensor mask, Scalar value) -> Tensor(a!)"
    overlap = "expanded_warns"
    scalars = "same: value"
    meta = _fillable
    node = "MaskedFillBackward0"
    variants = "method"
    kernel = "masked_fill"
    grad_self = _outside


class MaskedFill(Op):
    """A copy with a number where a mask is true."""

    schema = "masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor"
    variants = "method"
    body = _filled
    grad_self = _outside


class MaskedSelect(Op):
    """The elements where a mask is true, in one dimension."""

    schema = "masked_select(Tensor self, Tensor mask) -> Tensor"
    variants = "method out"
    overlap = "spares_inputs"

    def body(self, mask, out=None):
        if mask.dtype is not dtypes.bool_:
            raise RuntimeError("masked_select: expected BoolTensor for mask")
        if out is None:
            out = aten.empty((0,), dtype=self.dtype)
        elif out.dtype is not self.dtype:
            raise RuntimeError("masked_select(): self and result must have the same scalar type")
        require_values("masked_select", mask)
        wide, mask = _common(self, mask)
        total = aten.item(aten.sum(mask))
        resize_output(out, (total,))
        strided(out, (total,), (1,))
        if not (is_in_order(wide) and is_in_order(mask)):
            _place_numbers(mask)
        run.masked_select(out, wide, mask)
        return out

    def grad_self(grad, self, mask):
        return aten.masked_select_backward(grad, self, mask)


def _place_numbers(mask) -> None:
    """Where each selected element goes, counted along the mask: what torch needs for tensors with gaps."""
    counted = aten.copy_(aten.empty(shape_of(mask), dtype=dtypes.int64), mask)
    places = aten.empty(shape_of(mask), dtype=dtypes.int64)
    run.count_along(places, counted)


class MaskedSelectBackward(Op):
    """The gradient of masked_select(): zeros with the gradient under the mask."""

    schema = "masked_select_backward(Tensor grad, Tensor input, Tensor mask) -> Tensor"
    internal = "a derivative"

    def body(grad, input, mask):
        wide = aten.expand(input, broadcast_shapes(shape_of(input), shape_of(mask)))
        return aten.masked_scatter_(aten.zeros_like(wide, dtype=grad.dtype), mask, grad)


def _scatterable(self, mask, source) -> None:
    if self.dtype is not source.dtype:
        raise RuntimeError(f"masked_scatter: expected self and source to have same dtypes but got {self.dtype.short} "
                           f"and {source.dtype.short}")
    if mask.dtype is not dtypes.bool_:
        raise RuntimeError(f"masked_scatter_ only supports boolean masks, but got mask with dtype {mask.dtype.short}")
    _no_larger(self, mask)


class MaskedScatter(Op):
    """One element of a source after the other where a mask is true."""

    schema = "masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor"
    overlap = "shares_inputs"
    variants = "method inplace"
    grad_self = _outside

    def body(self, mask, source):
        wide, mask = _common(self, mask)
        return aten.masked_scatter_(aten.clone(wide, memory_format=contiguous_format), mask, source)

    def inplace(self, mask, source):
        _scatterable(self, mask, source)
        if shape_of(mask) != shape_of(self):
            mask = aten.expand(mask, shape_of(self))
        run.masked_scatter(self, mask, in_order(source))
        return self

    def grad_source(grad, mask, source_shape):
        return aten.masked_scatter_backward(grad, mask, source_shape)


class MaskedScatterBackward(Op):
    """The gradient of masked_scatter()'s source: what the mask picks, then zeros for what was not used."""

    schema = "masked_scatter_backward(Tensor grad_output, Tensor mask, SymInt[] sizes) -> Tensor"
    node = "MaskedScatterBackwardBackward0"
    internal = "a derivative"

    def body(grad_output, mask, sizes):
        if not has_values(mask):
            return aten.empty(sizes, dtype=grad_output.dtype)
        used = aten.masked_select(grad_output, mask)
        total = 1
        for n in sizes:
            total *= n
        if total > numel_of(used):
            unused = aten.zeros((total - numel_of(used),), dtype=grad_output.dtype)
            used = aten.cat([used, unused], 0)
        return aten.view(used, sizes)

    def grad_grad_output(grad, grad_output_shape, mask):
        return aten.masked_scatter(aten.zeros(grad_output_shape, dtype=grad.dtype), mask, grad)
