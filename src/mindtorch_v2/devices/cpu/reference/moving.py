"""Elements of one type moved to another place: joined, turned, shifted, repeated, or a triangle of them."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def concatenate(out: Array, arrays: list[Array], dim: int) -> bool:
    """Arrays one after the other along a dimension; False where types have to be cast."""
    if any(array.dtype != out.dtype for array in arrays):
        return False
    np.concatenate(arrays, dim, out=out)
    return True


def stack(out: Array, arrays: list[Array], dim: int) -> bool:
    """Arrays of one shape along a new dimension; False where types have to be cast."""
    if any(array.dtype != out.dtype for array in arrays):
        return False
    np.stack(arrays, dim, out=out)
    return True


def flip(out: Array, x: Array, dims: tuple[int, ...]) -> bool:
    """Some dimensions, each named once, in reverse order of their indices."""
    out[...] = np.flip(x, dims)
    return True


def roll(out: Array, x: Array, shift: int, dim: int) -> bool:
    """Elements shifted along a dimension; what leaves at one end comes in at the other."""
    out[...] = np.roll(x, shift, dim)
    return True


def repeat(out: Array, x: Array) -> bool:
    """Copies of an array laid side by side until the result is full; its sizes are multiples of the array's."""
    padded = (1,) * (out.ndim - x.ndim) + x.shape
    out[...] = np.tile(x, [n // max(m, 1) for n, m in zip(out.shape, padded)])
    return True


def triangle(out: Array, x: Array, diagonal: int, lower: bool) -> bool:
    """What lies on a diagonal and below, or above, it; zero elsewhere."""
    out[...] = np.tril(x, diagonal) if lower else np.triu(x, diagonal)
    return True
