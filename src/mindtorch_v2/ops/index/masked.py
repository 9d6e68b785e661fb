"""Reading and writing under a mask."""

from __future__ import annotations

import numpy as np

from ...core import dtype as dtypes
from ...core.device import contiguous_format
from ...core.geometry import broadcast_shapes
from ...core.tensor import blank
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec, c_name
from ...opdef.scalars import converted
from ..view.view import strided


def _fillable(self, mask, value) -> Spec:
    if mask.dtype is not dtypes.bool_:
        raise RuntimeError(f"masked_fill_ only supports boolean masks, but got mask with dtype {c_name(mask.dtype)}")
    if hasattr(value, "_mt_array") and value.dim():
        raise RuntimeError("masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                           f"{value.dim()} dimension(s).")
    _no_larger(self, mask)
    return Spec(self._mt_array.shape, self.dtype)


def _no_larger(self, mask) -> None:
    shape = self._mt_array.shape
    if mask._mt_array.shape != shape and broadcast_shapes(shape, mask._mt_array.shape) != shape:
        raise RuntimeError(f"output with shape {list(shape)} doesn't match the broadcast shape "
                           f"{list(broadcast_shapes(shape, mask._mt_array.shape))}")


def _common(self, mask):
    """Both in one shape; torch expands both as soon as they differ."""
    shape, other = self._mt_array.shape, mask._mt_array.shape
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
        np.copyto(self._mt_array, converted(aten.item(value), self.dtype), "unsafe", mask._mt_array)
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
    grad_self = _outside

    def cpu(self, mask, value, out):
        np.copyto(out, value, "unsafe", mask)


class MaskedFill(Op):
    """A copy with a number where a mask is true."""

    schema = "masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor"
    variants = "method"
    body = _filled
    grad_self = _outside


class MaskedSelect(Op):
    """The elements where a mask is true, in one dimension."""

    schema = "masked_select(Tensor self, Tensor mask) -> Tensor"
    variants = "method"

    def body(self, mask):
        if mask.dtype is not dtypes.bool_:
            raise RuntimeError("masked_select: expected BoolTensor for mask")
        aten.empty((0,), dtype=self.dtype)
        wide, mask = _common(self, mask)
        total = aten.item(aten.sum(mask))
        out = blank((total,), self.dtype)
        strided(out, (total,), (1,))
        if not (wide.is_contiguous() and mask.is_contiguous()):
            _place_numbers(mask)
        np.copyto(out._mt_array, wide._mt_array[mask._mt_array])
        return out

    def grad_self(grad, self, mask):
        return aten.masked_select_backward(grad, self, mask)


def _place_numbers(mask) -> None:
    """Where each selected element goes, counted along the mask: what torch needs for tensors with gaps."""
    counted = aten.copy_(aten.empty(mask._mt_array.shape, dtype=dtypes.int64), mask)
    places = aten.empty(mask._mt_array.shape, dtype=dtypes.int64)
    np.cumsum(counted._mt_array, out=places._mt_array.reshape(-1))


class MaskedSelectBackward(Op):
    """The gradient of masked_select(): zeros with the gradient under the mask."""

    schema = "masked_select_backward(Tensor grad, Tensor input, Tensor mask) -> Tensor"
    internal = "a derivative"

    def body(grad, input, mask):
        wide = aten.expand(input, broadcast_shapes(input._mt_array.shape, mask._mt_array.shape))
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
        wide, _ = _common(self, mask)
        return aten.masked_scatter_(aten.clone(wide, memory_format=contiguous_format), mask, source)

    def inplace(self, mask, source):
        _scatterable(self, mask, source)
        if mask._mt_array.shape != self._mt_array.shape:
            mask = aten.expand(mask, self._mt_array.shape)
        where = mask._mt_array
        if not source.is_contiguous():
            source = aten.contiguous(source)
        count = int(np.count_nonzero(where))
        if count > source.numel():
            raise RuntimeError("Number of elements of source < number of ones in mask")
        self._mt_array[where] = source._mt_array.reshape(-1)[:count]
        return self

    def grad_source(grad, mask, source_shape):
        return aten.masked_scatter_backward(grad, mask, source_shape)


class MaskedScatterBackward(Op):
    """The gradient of masked_scatter()'s source: what the mask picks, then zeros for what was not used."""

    schema = "masked_scatter_backward(Tensor grad_output, Tensor mask, SymInt[] sizes) -> Tensor"
    node = "MaskedScatterBackwardBackward0"
    internal = "a derivative"

    def body(grad_output, mask, sizes):
        used = aten.masked_select(grad_output, mask)
        total = 1
        for n in sizes:
            total *= n
        if total > used.numel():
            unused = aten.zeros((total - used.numel(),), dtype=grad_output.dtype)
            used = aten.cat([used, unused], 0)
        return aten.view(used, sizes)

    def grad_grad_output(grad, mask):
        return aten.masked_scatter(aten.zeros(mask._mt_array.shape, dtype=grad.dtype), mask, grad)
