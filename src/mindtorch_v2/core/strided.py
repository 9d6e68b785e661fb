"""Arrays by geometry, in plain Python: the reading of strided.pyx."""

from __future__ import annotations

import numpy as np


def view(array: np.ndarray, dtype: np.dtype, shape, strides, offset_bytes: int) -> np.ndarray:
    """An array of the given geometry over the memory that starts at ``array``'s first byte plus an offset."""
    if array.size == 0 or 0 in shape:
        return np.lib.stride_tricks.as_strided(np.empty(0, dtype), tuple(shape), tuple(strides))
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    start = array.__array_interface__["data"][0] - owner.__array_interface__["data"][0] + offset_bytes
    raw = owner.reshape(-1, order="A").view(np.uint8) if owner.flags.forc else owner
    return np.ndarray(tuple(shape), dtype, raw, start, tuple(strides))


def empty(shape, dtype: np.dtype) -> np.ndarray:
    return np.empty(shape, dtype)


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def nbytes(array: np.ndarray) -> int:
    return array.nbytes


def same_shape(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape


def is_array(value) -> bool:
    return isinstance(value, np.ndarray)


def is_contiguous(array: np.ndarray) -> bool:
    return array.flags.c_contiguous


def ndim(array: np.ndarray) -> int:
    return array.ndim


def strides(array: np.ndarray) -> tuple[int, ...]:
    """Strides counted in elements, as torch counts them."""
    return tuple(step // array.itemsize for step in array.strides)


def install(cls: type, name: str, value) -> None:
    """Set an attribute of a class that may be compiled."""
    setattr(cls, name, value)


make_view, address_of, add_attribute = view, address, install
