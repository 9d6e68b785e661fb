# cython: annotation_typing=False
"""New results in the layout of an input, with a row or without, and inputs in C order, which compiled kernels want."""

from __future__ import annotations

from ...core.device import contiguous_format, strided
from ...core.dtype import FLOATING
from ...core.promotion import as_floating, result_type
from ...core.resize import give_memory
from ...core.tensor import is_in_order, shape_of
from ...dispatch.aten import aten
from ...dispatch.on_device import allocate, strides_like
from ...opdef.rules import Spec
from ...opdef.rules import elementwise as elementwise_rule


def in_one_type(a, b):
    """Two tensors promoted to a common type."""
    if a.dtype is b.dtype:
        return a, b
    common = result_type(a, b)
    return [t if t.dtype is common else aten.to(t, common) for t in (a, b)]


def floating(self):
    """The tensor itself, or a cast of whole numbers and booleans to the default type."""
    return self if self.dtype.category >= FLOATING else aten.to(self, as_floating(self.dtype))


def in_order(self):
    """The tensor itself if its memory is in C order, else a copy that is, which shows as a row."""
    return self if is_in_order(self) else aten.contiguous(self)


def elementwise(*tensors) -> Spec:
    """What is read off tensors of one type element by element: their common shape, in torch's order of dimensions."""
    return elementwise_rule(tensors, tensors[0].dtype)


def blank_like(self, dtype=None):
    """Memory for such a result, without a row."""
    return allocate(Spec(shape_of(self), dtype or self.dtype, strides_like(self)))


def dense(spec: Spec, memory_format=None):
    """Memory as a rule describes it, allocated by a row as ops on torch's older iterator do."""
    if spec.strides is None:
        return aten.empty(spec.shape, dtype=spec.dtype, memory_format=memory_format)
    return aten.empty_strided(spec.shape, spec.strides, dtype=spec.dtype)


def dense_like(self, memory_format=None):
    """The same for what is read off one tensor."""
    if is_in_order(self):
        return aten.empty(shape_of(self), dtype=self.dtype, memory_format=memory_format)
    return dense(elementwise(self), memory_format)


def empty_for(a, b):
    """Memory for what comes out of two tensors of one type element by element, allocated by a row."""
    return dense(elementwise(a, b))


def unsized(dtype):
    """A result that is still without elements, as torch makes it before it knows the shape."""
    return aten.empty((0,), dtype=dtype, layout=strided)


def sized(out, shape):
    """Give an unsized result its memory; torch resizes such a tensor without a row."""
    return give_memory(out, shape)


def sized_as(out, spec: Spec):
    """The same where a rule describes it; strides other than those of C order are given by a row."""
    sized(out, spec.shape)
    return out if spec.strides is None else aten.as_strided_(out, spec.shape, spec.strides)


def into(out) -> dict:
    """The keyword by which a composition hands on what it was given to write into, if anything."""
    return {} if out is None else {"out": out}


IN_ORDER = contiguous_format
