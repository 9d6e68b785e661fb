"""gather and scatter over the middle of contiguous (outer, n, inner), and the places of what is true."""

from __future__ import annotations

import math

import numpy as np

Array = np.ndarray


def _are_within(places: Array, n: int) -> bool:
    return not ((places < 0) | (places >= n)).any()


def _of_each(places: Array, outer: int, count: int, inner: int) -> Array:
    """The place of every element; places may be given once for all lines."""
    return np.broadcast_to(places.reshape((count, 1) if places.size == count else (outer, count, inner)),
                           (outer, count, inner))


def folded(lines: Array, places: Array, dim: int) -> tuple[int, int, int, int] | None:
    """(outer, n, count, inner) of contiguous arrays that differ in one dimension alone; None where others differ."""
    sizes, wanted = list(lines.shape), list(places.shape)
    if not (lines.flags.c_contiguous and places.flags.c_contiguous) or not 0 <= dim < len(sizes) == len(wanted):
        return None
    n, count = sizes.pop(dim), wanted.pop(dim)
    return (math.prod(sizes[:dim]), n, count, math.prod(sizes[dim:])) if sizes == wanted else None


def gather(out: Array, x: Array, places: Array, outer: int, n: int, count: int, inner: int) -> bool:
    """out[i, j, k] = x[i, places[i, j, k], k]; False where a place does not exist."""
    if not _are_within(places, n):
        return False
    at = _of_each(places, outer, count, inner)
    out.reshape(outer, count, inner)[...] = np.take_along_axis(x.reshape(outer, n, inner), at, 1)
    return True


def scatter(out: Array, x: Array, places: Array, outer: int, n: int, count: int, inner: int) -> bool:
    """out[i, places[i, j, k], k] = x[i, j, k], the last of several; x may be a single element."""
    if not _are_within(places, n):
        return False
    at = _of_each(places, outer, count, inner)
    values = x if x.size == 1 else x.reshape(outer, count, inner)
    np.put_along_axis(out.reshape(outer, n, inner), at, values, 1)
    return True


def _scatter_by(ufunc: np.ufunc, out: Array, x: Array, places: Array, outer: int, n: int, count: int,
                inner: int) -> bool:
    if not _are_within(places, n):
        return False
    lines, at = out.reshape(outer, n, inner), _of_each(places, outer, count, inner)
    values = x.reshape(()) if x.size == 1 else x.reshape(outer, count, inner)
    rows, _, columns = np.ogrid[:outer, :count, :inner]
    ufunc.at(lines, (rows, at, columns), values)
    return True


def scatter_add(out: Array, x: Array, places: Array, outer: int, n: int, count: int, inner: int) -> bool:
    """out[i, places[i, j, k], k] += x[i, j, k], one after the other; x may be a single element."""
    return _scatter_by(np.add, out, x, places, outer, n, count, inner)


def scatter_multiply(out: Array, x: Array, places: Array, outer: int, n: int, count: int, inner: int) -> bool:
    """out[i, places[i, j, k], k] *= x[i, j, k], one after the other; x may be a single element."""
    return _scatter_by(np.multiply, out, x, places, outer, n, count, inner)


def scatter_larger(out: Array, x: Array, places: Array, outer: int, n: int, count: int, inner: int) -> bool:
    """The larger of out[i, places[i, j, k], k] and x[i, j, k] stays there; x may be a single element."""
    return _scatter_by(np.maximum, out, x, places, outer, n, count, inner)


def scatter_smaller(out: Array, x: Array, places: Array, outer: int, n: int, count: int, inner: int) -> bool:
    """The smaller of out[i, places[i, j, k], k] and x[i, j, k] stays there; x may be a single element."""
    return _scatter_by(np.minimum, out, x, places, outer, n, count, inner)


def masked(x: Array, mask: Array) -> Array | None:
    """The elements of a contiguous array where a mask of its size is true, in order; None of another kind of array."""
    if not (x.flags.c_contiguous and mask.flags.c_contiguous and mask.dtype == bool and x.size == mask.size):
        return None
    return x.reshape(-1)[mask.reshape(-1)]


def few_nonzero(x: Array) -> Array:
    """The coordinates of all true elements of a contiguous array, dimension by dimension."""
    return np.ascontiguousarray(np.argwhere(x).T)


def nonzero(x: Array) -> Array:
    """The coordinates of all true elements of a contiguous array, a row each."""
    return np.argwhere(x)


def located(out: np.ndarray, x: np.ndarray, coordinates: list[np.ndarray]) -> bool:
    """out[i] = x[coordinates[0][i], coordinates[1][i], …]; False where a coordinate does not exist."""
    try:
        out[...] = x[tuple(coordinates)].reshape(out.shape)
    except IndexError:
        return False
    return True


def add_halves(out: Array, x: Array, places: Array, outer: int, n: int, count: int, inner: int) -> bool:
    """out[i, places[j], k] += x[i, j, k] in half precision, added up in float32 and rounded once."""
    wide = out.astype(np.float32)
    if not scatter_add(wide, x.astype(np.float32), places, outer, n, count, inner):
        raise IndexError(f"a place beyond {n}")
    out[...] = wide.astype(out.dtype)
    return True


def put_masked(out: Array, mask: Array, x: Array) -> bool | None:
    """One element of x after the other where a mask is true; False for other arrays, None if x is too short."""
    if out.dtype != x.dtype or mask.dtype != np.bool_ or mask.shape != out.shape or not out.flags.c_contiguous:
        return False
    count = int(np.count_nonzero(mask))
    if count > x.size:
        return None
    out[mask] = x.reshape(-1)[:count]
    return True
