"""Arrays by geometry, in plain Python: the reading of strided.pyx."""

from __future__ import annotations

import sys

import numpy as np

from .geometry import contiguous_strides, invalid_size, outside_storage, too_many_dims

MAX_DIMS = 64  # NumPy's own limit


def window(array: np.ndarray, dtype: np.dtype, shape, strides, offset: int, room: int) -> np.ndarray:
    """An array over the memory that starts at ``array``'s first byte and has ``room`` bytes.

    Strides and offset count elements, as torch counts them.
    """
    if len(shape) > MAX_DIMS:
        raise too_many_dims(len(shape))
    if len(shape) != len(strides) or not _is_inside(shape, strides, offset, room // dtype.itemsize):
        raise outside_storage(shape, strides, offset, dtype.itemsize, room)
    steps = tuple(step * dtype.itemsize for step in strides)
    try:
        if 0 in shape:
            return np.lib.stride_tricks.as_strided(np.empty(0, dtype), tuple(shape), steps)
        return np.ndarray(tuple(shape), dtype, *_bytes_from(array, offset * dtype.itemsize), steps)
    except ValueError:
        raise invalid_size(shape) from None


def _is_inside(shape, strides, offset: int, room: int) -> bool:
    """Whether a geometry goes forward only and stays within ``room`` elements."""
    if offset < 0 or min((*shape, *strides), default=0) < 0:
        return False
    return 0 in shape or offset + sum((n - 1) * step for n, step in zip(shape, strides)) < room


def _bytes_from(array: np.ndarray, offset: int) -> tuple[np.ndarray, int]:
    """The memory under an array as bytes, and which of them lies ``offset`` behind the array's first."""
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    start = array.__array_interface__["data"][0] - owner.__array_interface__["data"][0] + offset
    if not owner.flags.forc:  # dense, but with its dimensions in another order
        owner = owner.transpose(sorted(range(owner.ndim), key=lambda i: -owner.strides[i]))
    return owner.reshape(-1, order="A").view(np.uint8), start


def empty(shape, dtype: np.dtype) -> np.ndarray:
    if len(shape) > MAX_DIMS:
        raise too_many_dims(len(shape))
    try:
        return np.empty(shape, dtype)
    except ValueError:
        raise invalid_size(shape) from None


def empty_as(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """An array without values in another's shape, row by row."""
    return np.empty(array.shape, dtype)


def scalar(value, dtype: np.dtype) -> np.ndarray:
    """An array without dimensions that holds one number."""
    return np.array(value, dtype)


def refolded(array: np.ndarray, owner: np.ndarray, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    """A row-major array in another shape, over the same memory, which belongs to ``owner``."""
    if len(shape) > MAX_DIMS:
        raise too_many_dims(len(shape))
    return array.reshape(shape)


def is_row_major(array: np.ndarray) -> bool:
    """Whether an array has elements and exactly the strides a new one of its shape would have."""
    return array.size > 0 and strides(array) == contiguous_strides(array.shape)


def is_int64(value: int) -> bool:
    """Whether an int is within 64 bits."""
    return -2**63 <= value < 2**63


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def nbytes(array: np.ndarray) -> int:
    return array.nbytes


def span(array: np.ndarray) -> int:
    """Bytes from an array's first element to behind its last, if a tensor can lie on it."""
    if not array.flags.aligned:
        raise ValueError("a tensor cannot lie on an array that is not aligned; make a copy of the array")
    if array.size == 0:
        return 0
    if min(array.strides, default=0) < 0:
        raise ValueError("a tensor cannot lie on an array with negative strides; make a copy of the array")
    return array.itemsize + sum((n - 1) * step for n, step in zip(array.shape, array.strides))


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


def make_lent(array: np.ndarray, owner) -> np.ndarray:
    """The same memory as an array of its own, which keeps the owner of the memory alive."""
    return np.asarray(_Lent(array, owner))


class _Lent:
    """An array and the owner of its memory, as NumPy asks for them."""

    def __init__(self, array: np.ndarray, owner):
        self.owner = owner
        self.__array_interface__ = array.__array_interface__


def shape_as(cls: type, array: np.ndarray) -> tuple:
    """The sizes of an array in a class of tuples that adds no fields."""
    return tuple.__new__(cls, array.shape)


def strides(array: np.ndarray) -> tuple[int, ...]:
    """Strides counted in elements, as torch counts them."""
    if array.size == 0 and not any(array.strides):  # NumPy gives a new array without elements no strides
        return contiguous_strides(array.shape)
    return tuple(step // array.itemsize for step in array.strides)


def references(value) -> int:
    """How many hold an object, the caller's own variable among them."""
    return sys.getrefcount(value) - 2


def install(cls: type, name: str, value) -> None:
    """Set an attribute of a class that may be compiled."""
    setattr(cls, name, value)


def call_as_method(cls: type) -> None:
    """Have Python call the instances of a class without a bound method; only a compiled class can ask for that."""


def call_class(cls: type, name: str) -> None:
    """Give a class the name by which its user knows it, ``torch.dtype``, in reprs, complaints and pickles."""
    cls.__module__, _, cls.__name__ = name.rpartition(".")
    cls.__qualname__ = cls.__name__


make_window, address_of, add_attribute = window, address, install


def make_unread(array: np.ndarray, dtype: np.dtype, shape, strides, room: int) -> np.ndarray:
    """The same for memory that nobody reads or writes; compiled, it may be said to be longer than it is."""
    if room > array.nbytes:
        raise RuntimeError(f"{room} bytes are beyond the address space that this system gives, {array.nbytes} bytes; "
                           "where the package is compiled, there is no such limit")
    return window(array, dtype, shape, strides, 0, room)
