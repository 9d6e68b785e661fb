"""New tensors: empty, filled, and like another."""

from __future__ import annotations

import numpy as np

from ..core import dtype as dtypes
from ..core import geometry
from ..core.device import preserve_format
from ..core.tensor import blank, new_tensor
from ..dispatch.aten import aten
from ..opdef.form import Op
from ..opdef.rules import Spec


def _new(size, dtype, *_) -> Spec:
    for s in size:
        if s < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {s}: {list(size)}")
    return Spec(tuple(size), dtype or dtypes.get_default_dtype())


class Empty(Op):
    """Memory without values."""

    schema = ("empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
              "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor")
    meta = _new

    def cpu(size, dtype, layout, device, pin_memory, memory_format):
        dtype = dtype or dtypes.get_default_dtype()
        return np.empty(size, dtype.numpy)


class EmptyStrided(Op):
    """Memory without values, laid out by strides."""

    schema = ("empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, "
              "Device? device=None, bool? pin_memory=None) -> Tensor")
    internal = "below"

    def body(size, stride, dtype, layout, device, pin_memory):
        dtype = dtype or dtypes.get_default_dtype()
        if geometry.contiguous_strides(size) == tuple(stride):
            return blank(size, dtype)
        span = 1 + sum((n - 1) * s for n, s in zip(size, stride)) if 0 not in size else 0
        return new_tensor(np.empty(span, dtype.numpy), dtype).see(size, stride, 0)


class EmptyLike(Op):
    """Memory without values, in the shape, type and layout of another tensor."""

    schema = ("empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
              "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor")

    def body(self, dtype, layout, device, pin_memory, memory_format):
        dtype = dtype or self.dtype
        shape = self.array.shape
        if memory_format is not None and memory_format is not preserve_format:
            return aten.empty(shape, dtype=dtype, memory_format=memory_format)
        strides = self.stride()
        if not geometry.is_non_overlapping_and_dense(shape, strides):
            strides = geometry.dense_strides(shape, strides)
        return aten.empty_strided(shape, strides, dtype=dtype)


class Zeros(Op):
    """Zeros of a shape."""

    schema = ("zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
              "bool? pin_memory=None) -> Tensor")

    def body(size, dtype, layout, device, pin_memory):
        return aten.zero_(aten.empty(size, dtype=dtype))


class Ones(Op):
    """Ones of a shape."""

    schema = ("ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
              "bool? pin_memory=None) -> Tensor")

    def body(size, dtype, layout, device, pin_memory):
        return aten.fill_(aten.empty(size, dtype=dtype), 1.0)


class ZerosLike(Op):
    """Zeros in the shape of another tensor."""

    schema = ("zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
              "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor")

    def body(self, dtype, layout, device, pin_memory, memory_format):
        return aten.zero_(aten.empty_like(self, dtype=dtype, memory_format=memory_format))


class OnesLike(Op):
    """Ones in the shape of another tensor."""

    schema = ("ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
              "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor")

    def body(self, dtype, layout, device, pin_memory, memory_format):
        return aten.fill_(aten.empty_like(self, dtype=dtype, memory_format=memory_format), 1.0)


class NewZeros(Op):
    """Zeros of a shape in another tensor's type."""

    schema = ("new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
              "Device? device=None, bool? pin_memory=None) -> Tensor")
    variants = "method"

    def body(self, size, dtype, layout, device, pin_memory):
        return aten.zero_(aten.new_empty(self, size, dtype=dtype))


class NewEmpty(Op):
    """Memory without values in another tensor's type."""

    schema = ("new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
              "Device? device=None, bool? pin_memory=None) -> Tensor")
    variants = "method"

    def body(self, size, dtype, layout, device, pin_memory):
        return aten.empty(size, dtype=dtype or self.dtype)


class NewEmptyStrided(Op):
    """Memory without values, laid out by strides, in another tensor's type."""

    schema = ("new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, "
              "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
    variants = "method"

    def body(self, size, stride, dtype, layout, device, pin_memory):
        return aten.empty_strided(size, stride, dtype=dtype or self.dtype)

