"""Arrays by geometry, in plain Python: the reading of strided.pyx."""

from __future__ import annotations

import sys

import numpy as np

from .geometry import contiguous_strides


def view(array: np.ndarray, dtype: np.dtype, shape, strides, offset_bytes: int) -> np.ndarray:
    """An array of the given geometry over the memory that starts at ``array``'s first byte plus an offset."""
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    if owner.size == 0:
        return np.lib.stride_tricks.as_strided(np.empty(0, dtype), tuple(shape), tuple(strides))
    start = array.__array_interface__["data"][0] - owner.__array_interface__["data"][0] + offset_bytes
    if not owner.flags.forc:  # dense, but with its dimensions in another order
        owner = owner.transpose(sorted(range(owner.ndim), key=lambda i: -owner.strides[i]))
    raw = owner.reshape(-1, order="A").view(np.uint8)
    return np.ndarray(tuple(shape), dtype, raw, start, tuple(strides))


def window(array: np.ndarray, dtype: np.dtype, shape, strides, offset: int) -> np.ndarray:
    """The same with strides and offset counted in elements, as torch counts them."""
    size = dtype.itemsize
    return view(array, dtype, shape, [step * size for step in strides], offset * size)


def empty(shape, dtype: np.dtype) -> np.ndarray:
    return np.empty(shape, dtype)


def empty_as(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """An array without values in another's shape, row by row."""
    return np.empty(array.shape, dtype)


def scalar(value, dtype: np.dtype) -> np.ndarray:
    """An array without dimensions that holds one number."""
    return np.array(value, dtype)


def refolded(array: np.ndarray, owner: np.ndarray, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    """A row-major array in another shape, over the same memory, which belongs to ``owner``."""
    return array.reshape(shape)


def is_row_major(array: np.ndarray) -> bool:
    """Whether an array has elements and exactly the strides a new one of its shape would have."""
    return array.size > 0 and strides(array) == contiguous_strides(array.shape)


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def nbytes(array: np.ndarray) -> int:
    return array.nbytes


def same_shape(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape


def has_shape(array: np.ndarray, shape: tuple[int, ...]) -> bool:
    """Whether an array has a shape that is known as a tuple."""
    return array.shape == shape


def is_array(value) -> bool:
    return isinstance(value, np.ndarray)


def is_contiguous(array: np.ndarray) -> bool:
    return array.flags.c_contiguous


def extent(array: np.ndarray, dim: int) -> int:
    return array.shape[dim]


def step(array: np.ndarray, dim: int) -> int:
    """Bytes from one index of a dimension to the next."""
    return array.strides[dim]


def itemsize(array: np.ndarray) -> int:
    return array.itemsize


def size(array: np.ndarray) -> int:
    return array.size


def ndim(array: np.ndarray) -> int:
    return array.ndim


def shape(array: np.ndarray) -> tuple[int, ...]:
    return array.shape


def strides(array: np.ndarray) -> tuple[int, ...]:
    """Strides counted in elements, as torch counts them."""
    if array.size == 0 and not any(array.strides):  # NumPy gives a new array without elements no strides
        return contiguous_strides(array.shape)
    return tuple(step // array.itemsize for step in array.strides)


def references(value) -> int:
    """How many hold an object, the caller's own variable among them."""
    return sys.getrefcount(value) - 2


def copy(into: np.ndarray, source: np.ndarray) -> bool:
    """Copy what needs no rounding check: one type. False where NumPy's cast has to do it."""
    if into.dtype is not source.dtype:
        return False
    np.copyto(into, source)
    return True


def install(cls: type, name: str, value) -> None:
    """Set an attribute of a class that may be compiled."""
    setattr(cls, name, value)


def call_as_method(cls: type) -> None:
    """Have Python call the instances of a class without a bound method; only a compiled class can ask for that."""


def call_class(cls: type, name: str) -> None:
    """Give a class the name by which its user knows it, ``torch.dtype``, in reprs, complaints and pickles."""
    cls.__module__, _, cls.__name__ = name.rpartition(".")
    cls.__qualname__ = cls.__name__


make_view, address_of, add_attribute, copy_array = view, address, install, copy
