"""Compiled kernels want memory in C order; these run them on arrays of any layout and keep that layout."""

from __future__ import annotations

import numpy as np

from ...core.device import contiguous_format, strided
from ...core.fields import set_array
from ...core.promotion import result_type
from ...core.storage import replace
from ...dispatch.aten import aten
from ...dispatch.pointwise import order_of


def compact(array: np.ndarray) -> np.ndarray:
    """The array itself if its memory is in C order, else a copy that is."""
    return array if array.flags.c_contiguous else array.copy()


def empty_as(array: np.ndarray, dtype=None) -> np.ndarray:
    """Memory for a result that is read off one array element by element, in torch's order of dimensions."""
    dtype = array.dtype if dtype is None else dtype
    if not _repeats(array):
        return np.empty_like(array, dtype)
    order = order_of(array.shape, [array])
    if order is None:
        return np.empty(array.shape, dtype)
    return np.empty([array.shape[d] for d in order], dtype).transpose(np.argsort(order))


def unary(kernel, x: np.ndarray, out: np.ndarray | None, *params) -> np.ndarray:
    """Run ``kernel(out, x, *params)``; a new result lies in memory as ``x`` does."""
    if out is None:
        out = empty_as(x)
    if x.flags.c_contiguous and out.flags.c_contiguous:
        kernel(out, x, *params)
    elif x.flags.f_contiguous and out.flags.f_contiguous:
        kernel(out.T, x.T, *params)
    else:
        made = np.empty(x.shape, x.dtype)
        kernel(made, compact(x), *params)
        out[...] = made
    return out


def binary(kernel, a: np.ndarray, b: np.ndarray, *params) -> np.ndarray:
    """Run ``kernel(out, a, b, *params)``; operands broadcast, the result lies as the first that is dense does."""
    if a.flags.c_contiguous and b.flags.c_contiguous and a.shape == b.shape:
        out = np.empty(a.shape, a.dtype)
        kernel(out, a, b, *params)
        return out
    if a.shape != b.shape:
        a, b = np.broadcast_arrays(a, b)
    out = empty_as(b if _repeats(a) else a)
    if out.flags.c_contiguous:
        kernel(out, compact(a), compact(b), *params)
        return out
    made = np.empty(a.shape, a.dtype)
    kernel(made, compact(a), compact(b), *params)
    out[...] = made
    return out


def _repeats(array: np.ndarray) -> bool:
    return any([step == 0 and size > 1 for step, size in zip(array.strides, array.shape)])


def in_one_type(a, b):
    """Two tensors promoted to a common type."""
    if a.dtype is b.dtype:
        return a, b
    common = result_type(a, b)
    return [t if t.dtype is common else aten.to(t, common) for t in (a, b)]


def in_order(self):
    """The tensor itself if its memory is in C order, else a copy that is, which shows as a row."""
    return self if self.is_contiguous() else aten.contiguous(self)


def dense_like(self, memory_format=None):
    """Memory for a result in the layout of ``self``, allocated by a row as ops on torch's older iterator do."""
    if self.is_contiguous():
        return aten.empty(self._mt_array.shape, dtype=self.dtype, memory_format=memory_format)
    made = empty_as(self._mt_array)
    steps = tuple([step // self.dtype.itemsize for step in made.strides])
    return aten.empty_strided(self._mt_array.shape, steps, dtype=self.dtype)


def unsized(dtype):
    """A result that is still without elements, as torch makes it before it knows the shape."""
    return aten.empty((0,), dtype=dtype, layout=strided)


def size_as(out, array: np.ndarray):
    """Give an unsized result its memory; torch resizes such a tensor without a row."""
    replace(out._mt_storage, array)
    set_array(out, array)
    return out


IN_ORDER = contiguous_format
