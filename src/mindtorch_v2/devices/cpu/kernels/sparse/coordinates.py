"""Coordinates of sparse tensors: as numbers, in order, in range, and values added where they say."""

from __future__ import annotations

import numpy as np

from ... import pick
from ..index.index_dim import add_slices as _add_slices
from .compressed import merged

embedding, sparse_rows = pick("embedding"), pick("sparse_rows")
Array = np.ndarray
_COMPILED = (np.float32, np.float64)  # the types of the compiled loop


def _flat(indices: Array, sizes: tuple[int, ...]) -> Array:
    """The number of each column's place, counted through all dimensions."""
    flat = np.zeros(indices.shape[1], np.int64)
    for row, size in zip(indices, sizes):
        flat *= size
        flat += row
    return flat


def flat_coordinates(out: Array, indices: Array, sizes: tuple[int, ...]) -> None:
    """The same into an array."""
    out[...] = _flat(indices, sizes)


def _add_rows(rows: Array, places: Array, values: Array, alpha) -> None:
    """Values, times a number, added to the rows of places that are known to be there."""
    if rows.dtype.type in _COMPILED and values.dtype is rows.dtype and rows.flags.c_contiguous and values.size:
        lines = np.ascontiguousarray(values).reshape(len(places), -1)
        embedding.index_add(rows.reshape(len(rows), -1), np.ascontiguousarray(places), lines, float(alpha))
    else:
        _add_slices(rows, places, values, 0, alpha)


def coalesce(new_indices: Array, new_values: Array, indices: Array, values: Array, ordered: Array,
             order: Array) -> int:
    """Columns in order of their numbers, values of equal ones added up one after the other; how many are left."""
    is_new = np.ones(len(order), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    first = order[is_new]
    count = len(first)
    new_indices[:, :count] = indices[:, first]
    new_values[:count] = values[first]
    if count < len(order):
        groups = np.cumsum(is_new) - 1
        _add_rows(new_values[:count], groups[~is_new], values[order[~is_new]], 1)
    return count


def add_sparse(out: Array, indices: Array, values: Array, alpha) -> None:
    """Values added to a dense array where their coordinates say."""
    sparse_dim = indices.shape[0]
    sizes = out.shape[:sparse_dim]
    if not lies_inside(indices, sizes):
        raise IndexError("an index of the sparse tensor lies outside of the dense one")
    if sparse_dim == 0:
        for value in values:
            out += alpha * value
    elif out.flags.c_contiguous:
        rows = merged(out, out.ndim - sparse_dim)
        _add_rows(rows, _flat(indices, sizes), values.astype(out.dtype, copy=False), alpha)
    else:
        np.add.at(out, tuple(indices), values if alpha == 1 else values * out.dtype.type(alpha))


def lies_inside(indices: Array, sizes: tuple[int, ...]) -> bool:
    """Whether every coordinate is one of the shape's."""
    if not indices.shape[1]:
        return True
    limits = np.asarray(sizes, np.int64).reshape(-1, 1)
    return bool((indices >= 0).all() and (indices < limits).all())


def coordinate_ranges(indices: Array) -> list[tuple[int, int]]:
    """The least and the largest coordinate of each dimension."""
    return [(int(row.min()), int(row.max())) for row in indices]


def ascends(indices: Array, sizes: tuple[int, ...]) -> bool:
    """Whether each column stands behind the one before it."""
    flat = _flat(indices, sizes)
    return bool((flat[1:] > flat[:-1]).all())


def places_in(wanted: Array, indices: Array, sizes: tuple[int, ...]) -> Array:
    """For every column the place of the same one among distinct others, or -1."""
    numbers, keys = _flat(indices, sizes), _flat(wanted, sizes)
    order = np.argsort(numbers, kind="stable")
    if not len(order):
        return np.full(len(keys), -1)
    at = np.minimum(np.searchsorted(numbers[order], keys), len(order) - 1)
    places = order[at]
    return np.where(numbers[places] == keys, places, -1)


def merge_sums(indices: Array, values: Array, first_indices: Array, first: Array, second_indices: Array, second: Array,
               alpha) -> int:
    """Two lists of columns merged into one, values of equal ones added up; how many columns there are.

    Values come as zeros. Columns that are not in order are merged as they come, as in torch: the smaller of two heads
    goes first.
    """
    if alpha != 1:
        second = second * values.dtype.type(alpha)
    n = first_indices.shape[1]
    if np.array_equal(first_indices, second_indices):
        indices[:, :n] = first_indices
        np.add(first, second, out=values[:n])
        return n
    sizes = np.maximum(first_indices.max(1, initial=0), second_indices.max(1, initial=0)) + 1
    keys = _flat(first_indices, sizes), _flat(second_indices, sizes)
    if all((key[1:] > key[:-1]).all() for key in keys):
        merged, places = np.unique(np.concatenate(keys), return_inverse=True)
        count = len(merged)
    else:
        places, count = _walk(*[key.tolist() for key in keys])
    indices[:, places[:n]] = first_indices
    indices[:, places[n:]] = second_indices
    values[places[:n]] += first
    values[places[n:]] += second
    return count


def _walk(first: list[int], second: list[int]) -> tuple[Array, int]:
    """Where each of two lists goes when they are merged head by head; how many places there are."""
    places = [0] * (len(first) + len(second))
    i = j = count = 0
    while i < len(first) or j < len(second):
        takes_first = j == len(second) or (i < len(first) and first[i] <= second[j])
        takes_second = i == len(first) or (j < len(second) and second[j] <= first[i])
        if takes_first:
            places[i] = count
            i += 1
        if takes_second:
            places[len(first) + j] = count
            j += 1
        count += 1
    return np.asarray(places, np.int64), count


def multiply_common(indices: Array, values: Array, first_indices: Array, first: Array, second_indices: Array,
                    second: Array, sizes: tuple[int, ...]) -> int:
    """The columns that two ordered lists share, and the products of their values; how many there are."""
    keys = _flat(first_indices, sizes), _flat(second_indices, sizes)
    left, right = np.empty((2, min(map(len, keys)) + 1), np.int64)
    count = sparse_rows.common(left, right, *keys)
    left, right = left[:count], right[:count]
    indices[:, :count] = first_indices[:, left]
    np.multiply(first[left], second[right], out=values[:count])
    return count


def gather_columns(out: Array, wanted: Array, indices: Array, values: Array, sizes: tuple[int, ...]) -> None:
    """The value at each wanted column, where there is one."""
    places = places_in(wanted, indices, sizes)
    is_there = places >= 0
    out[is_there] = values[places[is_there]]


def mark_columns(out: Array, wanted: Array, indices: Array, sizes: tuple[int, ...]) -> None:
    """One for each wanted column that is among others, zero for the rest."""
    out[...] = places_in(wanted, indices, sizes) >= 0


def columns_of_slices(row: Array, wanted: Array, size: int) -> tuple[Array, Array]:
    """The columns whose coordinate is one of those wanted, slice after slice, and the place of each one's slice."""
    wanted = np.where(wanted < 0, wanted + size, wanted)
    order = np.argsort(row, kind="stable")
    ordered = row[order]
    begins, ends = np.searchsorted(ordered, wanted, "left"), np.searchsorted(ordered, wanted, "right")
    counts = ends - begins
    places = np.repeat(np.arange(len(wanted)), counts)
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return order[np.repeat(begins, counts) + within], places


def diagonal_places(offsets: Array, width: int, shape: tuple[int, int]) -> tuple[Array | None, Array]:
    """Which values of rows of diagonals fall into a matrix, and where; None in their place if an offset comes twice."""
    if len(np.unique(offsets)) != len(offsets):
        return None, np.empty((2, 0), np.int64)
    columns = np.broadcast_to(np.arange(width), (len(offsets), width))
    rows = columns - offsets[:, None]
    kept = (rows >= 0) & (rows < shape[0]) & (columns < shape[1])
    return np.flatnonzero(kept.reshape(-1)), np.stack([rows[kept], columns[kept]]).astype(np.int64)
