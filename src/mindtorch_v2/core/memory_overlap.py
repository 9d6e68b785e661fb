"""Elements that share memory: inside one tensor, and between two on one storage."""

from __future__ import annotations

from . import strided
from .geometry import is_non_overlapping_and_dense

# How two tensors lie to each other; UNKNOWN where one of them has gaps, as nobody works that out.
NONE, PARTIAL, FULL, UNKNOWN = 0, 1, 2, 3


def is_dense(tensor):
    """Whether a tensor's elements fill a stretch of memory, each with a place of its own."""
    return strided.is_contiguous(tensor._mt_array) \
        or is_non_overlapping_and_dense(strided.shape(tensor._mt_array), strided.strides(tensor._mt_array))


def is_expanded(tensor):
    """Whether some dimension repeats the same elements."""
    array = tensor._mt_array
    if strided.is_contiguous(array):
        return False
    for dim in range(strided.ndim(array)):
        if strided.step(array, dim) == 0 and strided.extent(array, dim) > 1:
            return True
    return False


def status(a, b):
    """How two tensors lie to each other in memory."""
    if a._mt_storage is not b._mt_storage or strided.size(a._mt_array) == 0 or strided.size(b._mt_array) == 0:
        return NONE
    if not is_dense(a) or not is_dense(b):
        return UNKNOWN
    start, other_start = strided.address(a._mt_array), strided.address(b._mt_array)
    end = start + strided.nbytes(a._mt_array)
    other_end = other_start + strided.nbytes(b._mt_array)
    if start == other_start and end == other_end:
        return FULL if strided.strides(a._mt_array) == strided.strides(b._mt_array) else PARTIAL
    return PARTIAL if start < other_end and other_start < end else NONE
