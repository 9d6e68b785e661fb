"""Elements of one type moved to another place: joined, turned, shifted, repeated, or a triangle of them.

Every function answers False, and has written nothing, where arrays do not fit or have several types.
"""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def concatenate(out: Array, arrays: list[Array], dim: int) -> bool:
    """Arrays one after the other along a dimension."""
    return _written(out, arrays, lambda: np.concatenate(arrays, dim))


def stack(out: Array, arrays: list[Array], dim: int) -> bool:
    """Arrays of one shape along a new dimension."""
    return _written(out, arrays, lambda: np.stack(arrays, dim))


def join(out: Array, arrays: list[Array], rows: int) -> bool:
    """Rows of a contiguous result, one piece of every contiguous array after the other; False for other arrays."""
    if rows < 1 or not all(array.flags.c_contiguous and not array.size % rows for array in [out, *arrays]):
        return False
    return _written(out, arrays, lambda: np.concatenate([a.reshape(rows, -1) for a in arrays], 1).reshape(out.shape))


def flip(out: Array, x: Array, dims: tuple[int, ...]) -> bool:
    """Some dimensions, each named once, in reverse order of their indices."""
    return _written(out, [x], lambda: np.flip(x, dims))


def roll(out: Array, x: Array, shift: int, dim: int) -> bool:
    """Elements shifted along a dimension; what leaves at one end comes in at the other."""
    return _written(out, [x], lambda: np.roll(x, shift, dim))


def repeat(out: Array, x: Array) -> bool:
    """Copies of an array laid side by side until the result is full; its sizes are multiples of the array's."""
    padded = (1,) * (out.ndim - x.ndim) + x.shape
    return _written(out, [x], lambda: np.tile(x, [n // max(m, 1) for n, m in zip(out.shape, padded)]))


def triangle(out: Array, x: Array, diagonal: int, lower: bool) -> bool:
    """Of contiguous matrices, what lies on a diagonal and below, or above, it; zero elsewhere."""
    return _written(out, [x], lambda: np.tril(x, diagonal) if lower else np.triu(x, diagonal))


def _written(out: Array, arrays: list[Array], moved) -> bool:
    if not out.dtype.isnative or any(array.dtype != out.dtype for array in arrays):
        return False
    values = moved()
    if values.shape != out.shape:
        return False
    out[...] = values
    return True
