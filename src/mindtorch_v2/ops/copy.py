"""Copies: fill, copy, clone, casts, and detaching from history."""

from __future__ import annotations

import numpy as np

from ..core import geometry
from ..core.device import preserve_format
from ..core.strided import make_view
from ..dispatch.aten import aten
from ..opdef import rules
from ..opdef.form import Op

_BYTE = np.dtype(np.uint8)


class Fill(Op):
    """Every element becomes a number."""

    schema = "fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)"
    variants = "method"
    node = "FillBackward0"

    def cpu(self, value, out):
        out.fill(value)

    def grad_self(grad):
        return aten.zeros_like(grad)


class Zero(Op):
    """Every element becomes zero."""

    schema = "zero_(Tensor(a!) self) -> Tensor(a!)"
    variants = "method"
    node = "ZeroBackward0"

    def cpu(self, out):
        out.fill(0)

    def grad_self(grad):
        return aten.zeros_like(grad)


class Copy(Op):
    """The values of another tensor, cast and broadcast."""

    schema = "copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)"
    variants = "method"
    node = "CopyBackwards"
    meta = rules.copied

    def cpu(self, src, non_blocking, out):
        np.copyto(out, src, casting="unsafe")

    def grad_self(grad):
        return aten.zeros_like(grad)

    def grad_src(grad, src):
        return aten.to(grad, src.dtype)


class Clone(Op):
    """A copy with the same history."""

    schema = "clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor"
    variants = "method"

    def body(self, memory_format):
        shape, strides = self.array.shape, self.stride()
        keep = memory_format is None or memory_format is preserve_format
        if keep and geometry.is_non_overlapping_and_dense(shape, strides):
            made = aten.empty_strided(shape, strides, dtype=self.dtype)
        else:
            made = aten.empty_like(self, memory_format=memory_format)
        return aten.copy_(made, self)

    def grad_self(grad):
        return grad


class Contiguous(Op):
    """The tensor itself if its memory is in order, else a copy that is."""

    schema = "contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format) -> Tensor(a)"
    variants = "method"

    def body(self, memory_format):
        return aten.clone(self, memory_format=memory_format)


class ToCopy(Op):
    """A copy in another type."""

    schema = ("_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
              "bool? pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor")
    node = "ToCopyBackward0"

    def body(self, dtype, layout, device, pin_memory, non_blocking, memory_format):
        shape, strides = self.array.shape, self.stride()
        if not geometry.is_non_overlapping_and_dense(shape, strides):
            strides = geometry.contiguous_strides(shape)
        return aten.copy_(aten.empty_strided(shape, strides, dtype=dtype or self.dtype, pin_memory=False), self)

    def grad_self(grad, self):
        return aten.to(grad, self.dtype)


class ToDtype(Op):
    """The tensor in a type: itself if it has it already."""

    schema = ("to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, "
              "MemoryFormat? memory_format=None) -> Tensor(a)")

    def body(self, dtype, non_blocking, copy, memory_format):
        if dtype is self.dtype and not copy:
            return self
        return aten._to_copy(self, dtype=dtype, non_blocking=non_blocking, memory_format=memory_format)


class Detach(Op):
    """The same data without history."""

    schema = "detach(Tensor(a) self) -> Tensor(a)"
    variants = "method"

    def body(self):
        return aten._detach(self)


class DetachAlias(Op):
    """What detach does; torch shows it as a row of its own, without the prefix."""

    schema = "_detach(Tensor self) -> Tensor"
    internal = "the inner half of detach"
    event = "detach"

    def view(self):
        return self.share(self.array)



class Resize(Op):
    """Another shape in place; the storage grows where it must and keeps what it held."""

    schema = "resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)"
    variants = "method"

    def body(self, size, memory_format):
        if tuple(size) == self.array.shape:
            return self
        storage, offset = self.storage, self.offset()
        count = 1
        for n in size:
            count *= n
        if (offset + count) * self.dtype.itemsize > storage.nbytes:
            grown = np.empty(offset + count, self.dtype.numpy)
            if storage.nbytes:
                grown.view(np.uint8)[:storage.nbytes] = make_view(storage.owner, _BYTE, (storage.nbytes,), (1,), 0)
            storage.replace(grown)
        self.array = self.see(size, geometry.contiguous_strides(size), offset).array
        return self
