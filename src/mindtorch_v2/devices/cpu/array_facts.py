"""What kernels ask of an array before anything else, in plain Python: the reading of array_facts.pyx."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

_WIDE = frozenset(map(np.dtype, "fd"))
_WHOLE = frozenset(map(np.dtype, (np.bool_, np.uint8, np.int8, np.int16, np.int32, np.int64)))
_PYTHON_NUMBERS = frozenset("?bBhHiIlLqQfdFD")


def is_compact(array: np.ndarray) -> bool:
    """Whether its elements lie in C order without gaps."""
    return array.flags.c_contiguous


def size_of(array: np.ndarray) -> int:
    """How many elements it has. Files with types ask here: ``array.size`` would need NumPy's C functions in each."""
    return array.size


def is_wide(array: np.ndarray) -> bool:
    """Whether it is of float32 or float64, the types of most compiled loops."""
    return array.dtype in _WIDE


def is_half(array: Any) -> bool:
    """Whether this is an array of float16 or bfloat16 (NumPy sees the latter as a two-byte 'V')."""
    return isinstance(array, np.ndarray) and array.dtype.itemsize == 2 and array.dtype.kind in "fV"


def is_whole(array: np.ndarray) -> bool:
    """Whether it is of a type whose elements are added up in int64 by a compiled loop."""
    return array.dtype in _WHOLE


def are_between(array: np.ndarray, low: int, high: int) -> bool:
    """Whether no integer of an array is less than a bound, or not less than another."""
    return not ((array < low) | (array >= high)).any()


def only_number(array: np.ndarray) -> complex | None:
    """The only element as a Python number; None if there are several, or they are of no type that Python has."""
    return array.item() if array.size == 1 and array.dtype.char in _PYTHON_NUMBERS else None


def falls(array: np.ndarray, shape: tuple[int, ...]) -> bool:
    """Whether an array, broadcast to a shape, steps less far from each dimension to the next, or not at all.

    Where every operand does, no two dimensions change places: gradients of sums, which stand still, among them.
    """
    sizes, steps, least = array.shape, array.strides, 0
    lead = len(shape) - len(sizes)
    for i in range(len(sizes) - 1, -1, -1):
        step = steps[i]
        if step == 0 or sizes[i] == 1 and shape[lead + i] != 1:
            continue
        if step <= least:
            return False
        least = step
    return True


def spans(array: np.ndarray, dims: tuple[int, ...]) -> tuple[int, int, int] | None:
    """How many elements lie around a run of neighbouring dimensions, in it, and within each of its elements; None if
    the dimensions are no such run."""
    if not dims or dims != tuple(range(dims[0], dims[0] + len(dims))):
        return None
    if dims[0] < 0 or dims[-1] >= array.ndim:
        raise IndexError(f"dimensions {dims} of an array of {array.ndim}")
    shape = array.shape
    return math.prod(shape[:dims[0]]), math.prod(shape[dims[0]:dims[-1] + 1]), math.prod(shape[dims[-1] + 1:])
