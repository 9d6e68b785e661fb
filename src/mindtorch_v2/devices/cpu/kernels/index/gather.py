# cython: annotation_typing=False
"""gather and scatter: one position along one dimension for every element. A scalar is a line of one element."""

from __future__ import annotations

import numpy as np

from ... import embedding
from ...errstate import silent


def _check(places: np.ndarray, size: int, dim: int) -> None:
    if places.size:
        bad = (places < 0) | (places >= size)
        if bad.any():
            raise RuntimeError(f"index {places[bad].flat[0]} is out of bounds for dimension {dim} with size {size}")


def _part(array: np.ndarray, shape: tuple[int, ...], dim: int) -> np.ndarray:
    """The corner of an array that an index of a smaller shape speaks of."""
    if all([n == m for d, (n, m) in enumerate(zip(array.shape, shape)) if d != dim]):
        return array
    return array[tuple([slice(None) if d == dim else slice(n) for d, n in enumerate(shape)])]


def gather(out: np.ndarray, source: np.ndarray, places: np.ndarray, dim: int) -> None:
    """From each line along a dimension, the elements at given places."""
    _check(places, source.shape[dim] if source.ndim else 1, dim)
    if not source.ndim:
        out[...] = source
    else:
        np.copyto(out, np.take_along_axis(_part(source, places.shape, dim), places, dim))


def _lines(out: np.ndarray, places: np.ndarray, source, dim: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What is written to, where, and as much of the source as there are places; a number serves for all."""
    _check(places, out.shape[dim] if out.ndim else 1, dim)
    if not out.ndim:
        out, places = out.reshape(1), places.reshape(1)
    if isinstance(source, np.ndarray):
        source = source.reshape(source.shape or (1,))[tuple([slice(n) for n in places.shape])]
    return out, places, source


def scatter(out: np.ndarray, places: np.ndarray, source, dim: int) -> None:
    """Each value to its place; where places repeat, the last stays."""
    out, places, values = _lines(out, places, source, dim)
    np.put_along_axis(_part(out, places.shape, dim), places, values, dim)


@silent
def scatter_add(out: np.ndarray, places: np.ndarray, source, dim: int) -> None:
    """Each value added at its place."""
    out, places, values = _lines(out, places, source, dim)
    if _is_rows(out, places, dim):
        rows = np.ascontiguousarray(places.reshape(len(places), -1)[:, 0])
        embedding.index_add(out.reshape(len(out), -1), rows, np.ascontiguousarray(values).reshape(len(places), -1), 1.0)
    else:
        _combine(np.add, out, places, values, dim)


@silent
def scatter_multiply(out: np.ndarray, places: np.ndarray, source, dim: int) -> None:
    """Each value multiplied into its place."""
    _combine(np.multiply, *_lines(out, places, source, dim), dim)


def _combine(ufunc: np.ufunc, out: np.ndarray, places: np.ndarray, values, dim: int) -> None:
    """Each value into its place; where places repeat, one after the other."""
    grid = list(np.ogrid[tuple([slice(n) for n in places.shape])])
    grid[dim] = places
    ufunc.at(out, tuple(grid), values)


def _is_rows(out: np.ndarray, places: np.ndarray, dim: int) -> bool:
    """Whether whole rows share a place, as index_add() asks for."""
    return (dim == 0 and out.ndim > 1 and out.flags.c_contiguous and out.dtype.char in "fd"
            and places.shape[1:] == out.shape[1:] and not any(places.strides[1:]))
