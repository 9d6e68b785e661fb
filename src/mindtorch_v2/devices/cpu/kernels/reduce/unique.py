"""Distinct values, places among sorted ones, and counts by value. What depends on values is returned as arrays."""

from __future__ import annotations

import math

import numpy as np

from ... import searching
from ...array_facts import is_compact
from ...half_precision import widened
from ...layout import compact


def _changes(ranked: np.ndarray) -> np.ndarray:
    """Which elements, or slices, differ from the one before."""
    new = np.ones(len(ranked), bool)
    differs = ranked[1:] != ranked[:-1]
    new[1:] = differs if differs.ndim == 1 else differs.any(axis=1)
    return new


def _edges(new: np.ndarray) -> np.ndarray:
    """Where runs of equal elements begin, and where the last one ends."""
    return np.append(np.flatnonzero(new), new.size)


def unique_values(ranked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct ones of sorted elements, and where each begins and the last one ends."""
    new = _changes(ranked)
    return ranked[new], _edges(new)


def unique_bools(source: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same of truth values in any order."""
    size, true = source.size, int(np.count_nonzero(source))
    kept = [(value, count) for value, count in ((False, size - true), (True, true)) if count]
    return np.array([value for value, _ in kept], bool), np.cumsum([0] + [count for _, count in kept])


def unique_inverse(out: np.ndarray, ranked: np.ndarray, order: np.ndarray) -> None:
    """For each element its place among the distinct ones; ``order`` says where the sorted ones stood."""
    numbers = np.empty(order.shape, np.int64)
    numbers[order] = np.cumsum(_changes(ranked)) - 1
    out[...] = numbers.reshape(out.shape)


def bool_inverse(out: np.ndarray, source: np.ndarray, values: np.ndarray) -> None:
    """The same for truth values."""
    out[...] = np.searchsorted(values, source)


def lengths(out: np.ndarray, edges: np.ndarray) -> None:
    """How long the runs between edges are."""
    out[...] = np.diff(edges)


def unique_runs(source: np.ndarray, wants_inverse: bool) -> tuple[np.ndarray, np.ndarray | None, np.ndarray]:
    """The elements without immediate repetitions, for each element its run if wanted, and the lengths of the runs."""
    flat = compact(source).reshape(-1)
    starts = searching.run_starts(widened(flat))
    lengths = np.diff(starts, append=flat.size)
    inverse = np.repeat(np.arange(len(starts)), lengths).reshape(source.shape) if wants_inverse else None
    return flat[starts], inverse, lengths


def order_of_slices(source: np.ndarray) -> np.ndarray:
    """The places of the rows of a matrix in lexicographic order, equal ones as they stand."""
    return np.lexsort(widened(source).T[::-1])


def identity_order(source: np.ndarray) -> np.ndarray:
    """The places of the rows of a matrix as they stand."""
    return np.arange(len(source))


def distinct_rows(rows: np.ndarray, order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which rows of a matrix, in an order, differ from the one before; and those that do."""
    plain = rows[order]
    new = _changes(widened(plain))
    return new, plain[new]


def number_slices(inverse: np.ndarray, counts: np.ndarray, new: list[bool], order: np.ndarray) -> None:
    """For each slice its number among the distinct ones, where ``new`` marks the first of each, and their counts."""
    numbers = np.cumsum(new) - 1
    inverse[order] = numbers
    counts[:numbers[-1] + 1] = np.bincount(numbers)


def searchsorted(out: np.ndarray, boundaries: np.ndarray, values: np.ndarray, sorter: np.ndarray | None,
                 right: bool) -> None:
    """Where values would be put among boundaries that are sorted, or that ``sorter`` puts in order."""
    if sorter is not None:
        boundaries = np.take_along_axis(boundaries, sorter, -1)
    a, v = compact(widened(boundaries)), compact(widened(values))
    if a.ndim > 1:
        rows = math.prod(a.shape[:-1])
        a, v = a.reshape(rows, a.shape[-1]), v.reshape(rows, v.shape[-1])
    places = np.empty(v.shape, np.int64)
    searching.places(places, a, v, right)
    np.copyto(out, places.reshape(out.shape), casting="unsafe")


def histogram(out: np.ndarray, source: np.ndarray, low: float, high: float) -> None:
    """How many elements fall into each of some bins of equal width."""
    np.copyto(out, np.histogram(widened(source), out.shape[-1], (low, high))[0], casting="unsafe")


def bincount(out: np.ndarray, source: np.ndarray, weights: np.ndarray | None) -> None:
    """How often each number from zero on occurs, or the sum of its weights."""
    if weights is None and source.dtype.kind in "iu" and out.dtype == np.int64 and is_compact(out):
        searching.counts(out, compact(source.astype(np.int64, copy=False)))
    else:
        np.copyto(out, np.bincount(source, weights, out.size), casting="unsafe")
