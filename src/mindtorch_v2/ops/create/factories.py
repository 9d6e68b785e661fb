# cython: annotation_typing=False
"""New tensors of a shape: without values, or filled with one; free-standing, like another, or of another's type.

A body here runs below autograd, and so neither counts as a write nor takes a number in the graph.
"""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core import geometry
from ...core.device import contiguous_format, preserve_format, strided
from ...core.slots import Work
from ...core.tensor import Tensor, blank, shape_of, strides_of, window_of
from ...devices.kernel import run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec
from ...opdef.scalars import converted, filling

_RANKS = {"channels_last": 4, "channels_last_3d": 5}


LARGE = 2**31  # a size that is worth a calculation
LARGEST_INT64 = 2**63 - 1


def check_rank(size, memory_format) -> None:
    """Channels lie last only where there are images, or films."""
    rank = _RANKS.get(memory_format.name)
    if rank is not None and rank != len(size):
        raise RuntimeError(f"required rank {rank} tensor to use {memory_format.name} format")


def _check_size(size, dtype: dtypes.DType) -> None:
    for n in size:
        if n < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {n}: {list(size)}")
    if math.prod(size) * dtype.itemsize > LARGEST_INT64:
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(size)}")


def _check_new(size, dtype, layout, device, pin_memory, memory_format) -> None:
    for n in size:
        if not 0 <= n < LARGE:
            _check_size(size, dtype or dtypes.get_default_dtype())
    if pin_memory:
        raise RuntimeError("pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator "
                           "is available on this system.")
    if memory_format is not None and memory_format is not contiguous_format:
        check_rank(size, memory_format)


def _check_filled(layout) -> None:
    if layout is not None and layout is not strided:
        raise RuntimeError("full(...) is not implemented for sparse layout")


class Empty(Op):
    """Memory without values."""

    schema = ("empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
              "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor")
    meta = _check_new

    def body(size, dtype, layout, device, pin_memory, memory_format):
        dtype = dtype or dtypes.get_default_dtype()
        if memory_format is preserve_format:
            raise RuntimeError("unsupported memory format Preserve")
        if layout is not None and layout is not strided:
            return Work.empty_of_layout(size, dtype, layout)
        if memory_format is None or memory_format is contiguous_format or memory_format.name not in _RANKS:
            return blank(size, dtype)
        inner = (size[0], *size[2:], size[1])
        strides = geometry.contiguous_strides(inner)
        return window_of(blank(inner, dtype), size, (strides[0], strides[-1], *strides[1:-1]), 0)


class EmptyOut(Op):
    """A given tensor in another shape."""

    schema = "empty.out(SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)"
    overlap = "expanded_out"
    below = "makes a tensor anew"

    def body(size, memory_format, out):
        if memory_format is not None:
            raise RuntimeError("'memory_format' argument is incompatible with 'out' tensor argument")
        return fit(out, size)


class EmptyStrided(Op):
    """Memory without values, laid out by strides."""

    schema = ("empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, "
              "Device? device=None, bool? pin_memory=None) -> Tensor")

    def body(size, stride, dtype, layout, device, pin_memory):
        dtype = dtype or dtypes.get_default_dtype()
        if len(size) != len(stride):
            raise RuntimeError(f"dimensionality of sizes ({len(size)}) must match dimensionality of strides "
                               f"({len(stride)})")
        _check_size(size, dtype)
        if geometry.contiguous_strides(size) == stride:
            return blank(size, dtype)
        span = _span(size, stride, dtype.itemsize)
        return window_of(blank((span,), dtype), size, stride, 0)


def _span(size, stride, itemsize) -> int:
    """Elements from the first to behind the last of a tensor, or torch's complaint about sizes and strides."""
    if len(size) != len(stride):
        raise RuntimeError(f"dimensionality of sizes ({len(size)}) must match dimensionality of strides "
                           f"({len(stride)})")
    if min(size, default=0) < 0:
        raise geometry.invalid_size(size)
    span = 1 + sum([(n - 1) * s for n, s in zip(size, stride)]) if 0 not in size else 0
    if min(stride, default=0) < 0 or span * itemsize > geometry.MAX_NUMEL:
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(size)} and strides={list(stride)}")
    return span


class EmptyLike(Op):
    """Memory without values, in the shape, type and layout of another tensor."""

    schema = ("empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
              "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor")
    below = "makes a new tensor"

    def body(self: Tensor, dtype, layout, device, pin_memory, memory_format):
        dtype = dtype or self.dtype
        shape = shape_of(self)
        if memory_format is not None and memory_format is not preserve_format:
            return dispatcher.call(_EMPTY, (shape, dtype, strided, device, pin_memory, memory_format))
        strides = strides_of(self)
        if not self.is_contiguous() and not geometry.is_non_overlapping_and_dense(shape, strides):
            strides = geometry.dense_strides(shape, strides)
        return dispatcher.call(_EMPTY_STRIDED, (shape, strides, dtype, strided, device, pin_memory))


class Zeros(Op):
    """Zeros of a shape."""

    schema = ("zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
              "bool? pin_memory=None) -> Tensor")

    def body(size, dtype, layout, device, pin_memory):
        for n in size:
            if n < 0:
                raise RuntimeError("zeros: Dimension size must be non-negative.")
        return _zeroed(dispatcher.call(_EMPTY, (size, dtype, layout, device, pin_memory, None)))


class ZerosOut(Op):
    """Zeros of a shape, in a given tensor."""

    schema = "zeros.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"
    overlap = "expanded_out"
    below = "makes a tensor anew"

    def body(size, out):
        return aten.zero_(fit(out, size))


class Ones(Op):
    """Ones of a shape."""

    schema = ("ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
              "bool? pin_memory=None) -> Tensor")

    def body(size, dtype, layout, device, pin_memory):
        dtype = dtype or dtypes.get_default_dtype()
        _check_filled(layout)
        return _filled(dispatcher.call(_EMPTY, (size, dtype, layout, device, pin_memory, None)), 1.0)


class OnesOut(Op):
    """Ones of a shape, in a given tensor."""

    schema = "ones.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"
    overlap = "expanded_out"
    below = "makes a tensor anew"

    def body(size, out):
        return aten.fill_(fit(out, size), 1.0)


class Full(Op):
    """One number throughout a shape; its kind decides the type."""

    schema = ("full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, "
              "Device? device=None, bool? pin_memory=None) -> Tensor")

    def body(size, fill_value, dtype, layout, device, pin_memory):
        dtype = dtype or dtypes.of_scalar(fill_value)
        if dtype.itemsize == 2:
            converted(fill_value, dtype)  # refused where fill_() would make halves infinite
        _check_filled(layout)
        return _filled(dispatcher.call(_EMPTY, (size, dtype, layout, device, pin_memory, None)), fill_value)


class FullOut(Op):
    """One number throughout a shape, in a given tensor."""

    schema = "full.out(SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)"
    overlap = "expanded_out"
    below = "makes a tensor anew"

    def body(size, fill_value, out):
        return aten.fill_(fit(out, size), fill_value)


class ZerosLike(Op):
    """Zeros in the shape of another tensor."""

    schema = ("zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
              "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor")
    below = "makes a new tensor"

    def body(self: Tensor, dtype, layout, device, pin_memory, memory_format):
        result = dispatcher.call(_EMPTY_LIKE, (self, dtype or self.dtype, strided, device, pin_memory, memory_format))
        return _zeroed(result)


class OnesLike(Op):
    """Ones in the shape of another tensor."""

    schema = ("ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
              "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor")
    below = "makes a new tensor"

    def body(self: Tensor, dtype, layout, device, pin_memory, memory_format):
        return _filled(dispatcher.call(_EMPTY_LIKE, (self, dtype, layout, device, pin_memory, memory_format)), 1.0)


class FullLike(Op):
    """One number throughout the shape of another tensor."""

    schema = ("full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, "
              "Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor")
    below = "makes a new tensor"

    def body(self: Tensor, fill_value, dtype, layout, device, pin_memory, memory_format):
        empty = dispatcher.call(_EMPTY_LIKE, (self, dtype, layout, device, pin_memory, memory_format))
        return _filled(empty, fill_value)


class NewEmpty(Op):
    """Memory without values in another tensor's type."""

    schema = ("new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
              "Device? device=None, bool? pin_memory=None) -> Tensor")
    variants = "method"
    below = "makes a new tensor"

    def body(self: Tensor, size, dtype, layout, device, pin_memory):
        return dispatcher.call(_EMPTY, (size, dtype or self.dtype, strided, device, pin_memory, None))


class NewEmptyStrided(Op):
    """Memory without values, laid out by strides, in another tensor's type."""

    schema = ("new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, "
              "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
    variants = "method"
    below = "makes a new tensor"

    def body(self: Tensor, size, stride, dtype, layout, device, pin_memory):
        return dispatcher.call(_EMPTY_STRIDED, (size, stride, dtype or self.dtype, strided, device, pin_memory))


class NewZeros(Op):
    """Zeros of a shape in another tensor's type."""

    schema = ("new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
              "Device? device=None, bool? pin_memory=None) -> Tensor")
    variants = "method"
    below = "makes a new tensor"

    def body(self: Tensor, size, dtype, layout, device, pin_memory):
        return _zeroed(dispatcher.call(_NEW_EMPTY, (self, size, dtype, layout, device, pin_memory)))


class NewOnes(Op):
    """Ones of a shape in another tensor's type."""

    schema = ("new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
              "Device? device=None, bool? pin_memory=None) -> Tensor")
    variants = "method"
    below = "makes a new tensor"

    def body(self: Tensor, size, dtype, layout, device, pin_memory):
        return _filled(dispatcher.call(_NEW_EMPTY, (self, size, dtype, layout, device, pin_memory)), 1.0)


class NewFull(Op):
    """One number throughout a shape, in another tensor's type."""

    schema = ("new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, "
              "Device? device=None, bool? pin_memory=None) -> Tensor")
    variants = "method"
    below = "makes a new tensor"

    def body(self: Tensor, size, fill_value, dtype, layout, device, pin_memory):
        if (dtype or self.dtype).itemsize == 2:
            converted(fill_value, dtype or self.dtype)  # refused where fill_() would make halves infinite
        return _filled(dispatcher.call(_NEW_EMPTY, (self, size, dtype, layout, device, pin_memory)), fill_value)


class ScalarTensor(Op):
    """A number as a tensor without dimensions."""

    schema = ("scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
              "bool? pin_memory=None) -> Tensor")

    def meta(s, dtype, layout, device, pin_memory):
        return Spec((), dtype or dtypes.get_default_dtype())

    def into(out, s, dtype, layout, device, pin_memory):
        run.fill(out, s if s == 0 and type(s) is not complex or s == 1 else filling(s, out.dtype))


def _zeroed(tensor):
    """A new tensor of zeros, by the op whose row torch shows where somebody looks."""
    if not dispatcher.is_unobserved():
        return aten.zero_(tensor)
    run.fill(tensor, 0)
    return tensor


def _filled(tensor, value):
    """The same of any number; those between zero and one fit every type."""
    if not (dispatcher.is_unobserved() and type(value) in (int, float) and 0 <= value <= 1) or tensor.dtype.rare:
        return aten.fill_(tensor, value)
    run.fill(tensor, value)
    return tensor


def empty(size, dtype, memory_format=None):
    """aten.empty as torch's own code calls it, on arguments that need no reading."""
    return dispatcher.call(_EMPTY, (size, dtype, strided, None, None, memory_format))


def zeros(size, dtype):
    """aten.zeros in the same way."""
    return dispatcher.call(_ZEROS, (size, dtype, strided, None, None))


def fit(out, size):
    """An ``out=`` tensor in the shape of a result; torch keeps the memory of one that is large enough."""
    return aten.resize_(out, size)


# The ops called above, looked up once.
_EMPTY = Empty.op
_EMPTY_LIKE = EmptyLike.op
_EMPTY_STRIDED = EmptyStrided.op
_NEW_EMPTY = NewEmpty.op
_ZEROS = Zeros.op
