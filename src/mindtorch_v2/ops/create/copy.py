"""Copies: fill, copy, clone, casts, and detaching from history."""

from __future__ import annotations

import math

from ...autograd.tangents import levels_of
from ...autograd.view_kinds import of_inference
from ...core import geometry, modes, resize
from ...core.device import contiguous_format, preserve_format
from ...core.device import strided as strided_layout
from ...core.memory_overlap import is_expanded
from ...core.modes import is_below_autograd, is_inference_mode_enabled
from ...core.tensor import Tensor, alias_of, count_write, is_in_order, numel_of, same_shape, shape_of, strides_of
from ...devices.kernel import copy, run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...dispatch.written_memory import TWICE
from ...opdef import rules
from ...opdef.form import Op
from ...opdef.scalars import filling
from ..shared.memory_format import suggested_format
from .factories import LARGEST_INT64, EmptyStrided, check_rank

_GRAIN = 32768  # torch sets fewer elements than this to zero by itself and leaves more of them to fill_


def _into(grad, dtype, device):
    """A gradient in the type and on the device of what it belongs to, by torch's longest form of to()."""
    return aten.to(grad, dtype=dtype, layout=strided_layout, device=device, pin_memory=False)


class Fill(Op):
    """Every element becomes a number."""

    schema = "fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)"
    overlap = "expanded"
    variants = "method"
    node = "FillBackward2"

    def body(self: Tensor, value):
        if type(value) is complex or not 0 <= value <= 1:  # what lies between fits every type
            value = filling(value, self.dtype)
        run.fill(self, value)
        return self

    def grad_self(grad):
        return aten.zeros_like(grad)


class Zero(Op):
    """Every element becomes zero."""

    schema = "zero_(Tensor(a!) self) -> Tensor(a!)"
    overlap = "expanded"
    variants = "method"
    node = "ZeroBackward0"

    def body(self: Tensor):
        small = 0 < numel_of(self) < _GRAIN and (
            is_in_order(self) or geometry.is_non_overlapping_and_dense(shape_of(self), strides_of(self)))
        if not small:
            return dispatcher.call(_FILL, (self, 0))
        run.fill(self, 0)
        return self

    def grad_self(grad):
        return aten.zeros_like(grad)


class Copy(Op):
    """The values of another tensor, cast and broadcast."""

    schema = "copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)"
    variants = "method"
    node = "torch::autograd::CopyBackwards"
    numbers = "src"
    overlap = "expanded"  # refused below, unless it is copied to itself

    def body(self: Tensor, src: Tensor, non_blocking):
        if src is self:
            return self
        if is_expanded(self):
            raise RuntimeError(TWICE)
        if not same_shape(self, src):
            rules.copied(self, src)
        copy(self, src)
        return self

    def grad_self(grad):
        return aten.zeros_like(grad, memory_format=contiguous_format)

    def grad_src(grad, src_dtype, src_device):
        return _into(grad, src_dtype, src_device)


class Clone(Op):
    """A copy with the same history."""

    schema = "clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor"
    variants = "method"

    def body(self: Tensor, memory_format):
        shape, strides = shape_of(self), strides_of(self)
        keep = memory_format is None or memory_format is preserve_format
        if keep and (is_in_order(self) or geometry.is_non_overlapping_and_dense(shape, strides)):
            copied = dispatcher.call(_EMPTY_STRIDED, (shape, strides, self.dtype, strided_layout, None, None))
        else:
            copied = aten.empty_like(self, dtype=self.dtype, layout=strided_layout, memory_format=memory_format)
        return dispatcher.call(_COPY, (copied, self, False))

    def grad_self(grad):
        return grad


class Contiguous(Op):
    """The tensor itself if its memory is in order, else a copy that is."""

    schema = "contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)"

    def body(self: Tensor, memory_format):
        return aten.clone(self, memory_format=memory_format)


class ToCopy(Op):
    """A copy in another type."""

    schema = ("_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
              "bool? pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor")
    node = "ToCopyBackward0"

    def body(self: Tensor, dtype, layout, device, pin_memory, non_blocking, memory_format):
        dtype, shape, strides = dtype or self.dtype, shape_of(self), strides_of(self)
        if memory_format is not None and memory_format is not preserve_format:
            copied = aten.empty(shape, dtype=dtype, layout=strided_layout, device=device, pin_memory=False,
                                memory_format=memory_format)
            return aten.copy_(copied, self, non_blocking)
        if not is_in_order(self) and not geometry.is_non_overlapping_and_dense(shape, strides):
            strides = geometry.dense_strides(shape, strides)
        copied = dispatcher.call(_EMPTY_STRIDED, (shape, strides, dtype, strided_layout, device, False))
        return dispatcher.call(_COPY, (copied, self, non_blocking))

    def grad_self(grad, self_dtype, self_device):
        return _into(grad, self_dtype, self_device)


class ToDtype(Op):
    """The tensor in a type: itself if it has it already."""

    schema = ("to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, "
              "MemoryFormat? memory_format=None) -> Tensor(a)")

    def body(self: Tensor, dtype, non_blocking, copy, memory_format):
        if dtype is self.dtype and not copy and (memory_format is None or memory_format is preserve_format
                                                 or memory_format is suggested_format(self)):
            return self
        return dispatcher.call(_TO_COPY, (self, dtype, None, None, None, non_blocking, memory_format))


class Detach(Op):
    """The same data without history."""

    schema = "detach(Tensor(a) self) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor):
        if is_below_autograd():
            return alias_of(self)
        below = modes.set_below(True)  # it has no number in the graph
        try:
            return dispatcher.call(_DETACH_ALIAS, (self,))
        finally:
            modes.set_below(below)


class DetachAlias(Op):
    """What detach does; torch shows it as a row of its own, without the prefix."""

    schema = "_detach(Tensor self) -> Tensor"
    internal = "the inner half of detach"
    event = "detach"

    def view(self: Tensor):
        return alias_of(self)


class Resize(Op):
    """Another shape in place; the storage grows where it must and keeps what it held."""

    schema = "resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)"
    variants = "method"

    def body(self: Tensor, size, memory_format):
        if self._mt_requires and not is_below_autograd() and not is_inference_mode_enabled():
            raise RuntimeError("cannot resize variables that require grad")
        if levels_of(self) and not is_below_autograd():
            raise RuntimeError("cannot resize variables that has a forward grad")
        if self._mt_inference and not is_inference_mode_enabled():
            raise of_inference()
        if memory_format is preserve_format:
            raise RuntimeError("Unsupported memory formatPreserve")
        if memory_format is not None:
            check_rank(size, memory_format)
        if not 0 <= math.prod(size) <= LARGEST_INT64:
            raise RuntimeError("numel: integer multiplication overflow")
        last = memory_format is not None and memory_format is not contiguous_format
        if tuple(size) == shape_of(self) and not last:
            return self
        is_other = tuple(size) != shape_of(self)
        resize.resize(self, size, last)
        if is_other and not is_below_autograd():
            count_write(self)
        return self


# The ops called above, looked up once.
_COPY = Copy.op
_DETACH_ALIAS = DetachAlias.op
_EMPTY_STRIDED = EmptyStrided.op
_FILL = Fill.op
_TO_COPY = ToCopy.op
