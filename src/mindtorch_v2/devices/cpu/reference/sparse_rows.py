"""Products of matrices that are kept row by row, and what two lists of places have in common."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def _check(starts: Array, columns: Array, width: int) -> None:
    if starts[0] or starts[-1] != len(columns) or (np.diff(starts) < 0).any():
        raise ValueError(f"rows have to begin at 0, one after the other, and to end at {len(columns)}")
    if columns.size and not 0 <= columns.min() <= columns.max() < width:
        raise ValueError(f"columns lie outside of {width}")


def _lines(starts: Array) -> Array:
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


def add_rows_by_dense(out: Array, starts: Array, columns: Array, values: Array, dense: Array, alpha: float) -> None:
    """out += alpha * (sparse @ dense)."""
    _check(starts, columns, len(dense))
    sums = np.zeros_like(out)
    np.add.at(sums, _lines(starts), values[:, None] * dense[columns])
    out += out.dtype.type(alpha) * sums


def sampled_rows(out: Array, starts: Array, columns: Array, left: Array, right: Array) -> None:
    """Dot products of rows of two matrices, at the places of a sparse one."""
    _check(starts, columns, len(right))
    out[...] = np.einsum("ij,ij->i", left[_lines(starts)], right[columns])


def product_of_rows(a_starts: Array, a_columns: Array, a_values: Array, b_starts: Array, b_columns: Array,
                    b_values: Array, columns: int) -> tuple[Array, Array, Array]:
    """Where the rows of the product of two sparse matrices begin, its columns in order, and its values."""
    _check(a_starts, a_columns, len(b_starts) - 1)
    _check(b_starts, b_columns, columns)
    counts = np.diff(b_starts)[a_columns]
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    of_b = np.repeat(b_starts[a_columns], counts) + within
    keys = np.repeat(_lines(a_starts), counts) * columns + b_columns[of_b]
    places, inverse = np.unique(keys, return_inverse=True)
    values = np.zeros(len(places), a_values.dtype)
    np.add.at(values, inverse, np.repeat(a_values, counts) * b_values[of_b])
    lines = places // max(columns, 1)
    starts = np.concatenate([[0], np.cumsum(np.bincount(lines, minlength=len(a_starts) - 1))]).astype(np.int64)
    return starts, places - lines * columns, values


def common(in_first: Array, in_second: Array, first: Array, second: Array) -> int:
    """Of two lists of numbers that ascend, the places of those in both; how many there are."""
    _, of_first, of_second = np.intersect1d(first, second, True, return_indices=True)
    in_first[:len(of_first)], in_second[:len(of_second)] = of_first, of_second
    return len(of_first)
