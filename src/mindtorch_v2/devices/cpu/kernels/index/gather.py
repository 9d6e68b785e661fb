# cython: annotation_typing=False
"""gather and scatter: one position along one dimension for every element. A scalar is a line of one element."""

from __future__ import annotations

from collections.abc import Callable
from math import prod as product_of

import numpy as np

from ... import embedding, selection
from ...array_facts import is_compact, is_half
from ...errstate import silent
from ...half_precision import rewrite, widened
from ...layout import compact


def _refuse(places: np.ndarray, size: int, dim: int) -> None:
    bad = places[(places < 0) | (places >= size)].flat[0]
    raise RuntimeError(f"index {bad} is out of bounds for dimension {dim} with size {size}")


def _part(array: np.ndarray, shape: tuple[int, ...], dim: int) -> np.ndarray:
    """The corner of an array that an index of a smaller shape speaks of."""
    if all([n == m for d, (n, m) in enumerate(zip(array.shape, shape)) if d != dim]):
        return array
    return array[tuple([slice(None) if d == dim else slice(n) for d, n in enumerate(shape)])]


def _folded(size: int, places: np.ndarray, dim: int) -> tuple[int, int, int, int]:
    """(outer, n, count, inner): what lies around a dimension of this size, in it, in the places, and within."""
    shape = places.shape
    return product_of(shape[:dim]), size, shape[dim], product_of(shape[dim + 1:])


def _of_lines(places: np.ndarray, dim: int) -> np.ndarray:
    """Places in C order; those that are the same for all lines along a dimension once."""
    around = [(size, step) for d, (size, step) in enumerate(zip(places.shape, places.strides)) if d != dim]
    if not places.size or any([step and size > 1 for size, step in around]):
        return compact(places)
    return compact(places[tuple([slice(None) if d == dim else 0 for d in range(places.ndim)])])


def gather(out: np.ndarray, source: np.ndarray, places: np.ndarray, dim: int) -> None:
    """From each line along a dimension, the elements at given places."""
    folded = selection.folded(source, places, dim) if is_compact(out) else None
    if folded is not None:
        if not selection.gather(out, source, places, *folded):
            _refuse(places, source.shape[dim], dim)
        return
    source = source if source.ndim else source.reshape(1)
    places = places if places.ndim else places.reshape(1)
    dim %= source.ndim
    size = source.shape[dim]
    lines, into = compact(_part(source, places.shape, dim)), compact(out)
    if not selection.gather(into, lines, _of_lines(places, dim), *_folded(size, places, dim)):
        _refuse(places, size, dim)
    if into is not out:
        np.copyto(out, into.reshape(out.shape))


def _scattered(kernel: Callable, out: np.ndarray, places: np.ndarray, source, dim: int) -> None:
    """Run a kernel that writes to places; the source is as large as the places at least, or a number."""
    if not isinstance(source, np.ndarray) or source.shape == places.shape and is_compact(source):
        folded = selection.folded(out, places, dim)
        if folded is not None:
            values = source if isinstance(source, np.ndarray) else np.array(source, out.dtype)
            if not kernel(out, values, places, *folded):
                _refuse(places, out.shape[dim], dim)
            return
    target = out if out.ndim else out.reshape(1)
    places = places if places.ndim else places.reshape(1)
    if isinstance(source, np.ndarray):
        values = compact(source.reshape(source.shape or (1,))[tuple([slice(n) for n in places.shape])])
    else:
        values = np.array(source, out.dtype)
    dim %= target.ndim
    size, part = target.shape[dim], _part(target, places.shape, dim)
    lines = compact(part)
    if not kernel(lines, values, _of_lines(places, dim), *_folded(size, places, dim)):
        _refuse(places, size, dim)
    if lines is not part:
        np.copyto(part, lines)


def scatter(out: np.ndarray, places: np.ndarray, source, dim: int) -> None:
    """Each value to its place; where places repeat, the last stays."""
    _scattered(selection.scatter, out, places, source, dim)


@silent
def scatter_add(out: np.ndarray, places: np.ndarray, source, dim: int) -> None:
    """Each value added at its place."""
    if is_half(out):  # torch adds up in float32
        wide = widened(out)
        scatter_add(wide, places, widened(source), dim)
        rewrite(out, wide)
    elif isinstance(source, np.ndarray) and _is_rows(out, places, dim) and source.shape == places.shape:
        rows = np.ascontiguousarray(places.reshape(len(places), -1)[:, 0])
        if rows.size and not 0 <= rows.min() <= rows.max() < len(out):
            _refuse(rows, len(out), dim)
        embedding.index_add(out.reshape(len(out), -1), rows, compact(source).reshape(len(places), -1), 1.0)
    else:
        _scattered(selection.scatter_add, out, places, source, dim)


def _is_rows(out: np.ndarray, places: np.ndarray, dim: int) -> bool:
    """Whether whole rows share a place, as index_add() asks for."""
    return (dim == 0 and out.ndim > 1 and is_compact(out) and out.dtype.char in "fd"
            and places.shape[1:] == out.shape[1:] and not any(places.strides[1:]))


@silent
def scatter_multiply(out: np.ndarray, places: np.ndarray, source, dim: int) -> None:
    """Each value multiplied into its place."""
    _scattered(selection.scatter_multiply, out, places, source, dim)
