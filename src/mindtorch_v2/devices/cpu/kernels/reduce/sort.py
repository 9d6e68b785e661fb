# cython: annotation_typing=False
"""Order: sorting, the k largest, and values picked by rank. NaN is the largest; equal elements keep their order."""

from __future__ import annotations

import numpy as np

from ... import ordering
from ...array_facts import is_compact
from ...half_precision import widened
from ...layout import compact
from ..index.gather import gather

WIDENED = frozenset(map(np.dtype, "bBhH"))  # small whole numbers, which are ordered as int32


def _has_nan(plain: np.ndarray) -> bool:
    return plain.dtype.kind == "f" and bool(np.isnan(plain).any())


def _order_lines(values: np.ndarray, indices: np.ndarray, source: np.ndarray, dim: int, descending: bool) -> bool:
    """Sort lines that lie in memory one after the other straight into the results; False where they do not."""
    if not (dim == source.ndim - 1 and source.dtype.char in "fdlq" and is_compact(source)
            and is_compact(indices) and is_compact(values)) or values is source:
        return False
    n = source.shape[dim]
    ordering.first_places(indices, source, source.size // n, n, indices.shape[dim], descending)
    gather(values, source, indices, dim)
    return True


def _order_of(array: np.ndarray, dim: int, descending: bool, k: int | None = None) -> np.ndarray:
    """The places of the elements in order, or of the first k of them."""
    lines = compact(np.moveaxis(widened(array), dim, -1))
    if lines.dtype.kind == "b" or lines.dtype in WIDENED:
        lines = lines.astype(np.int32)
    n = lines.shape[-1]
    k = n if k is None else k
    order = np.empty((*lines.shape[:-1], k), np.int64)
    ordering.first_places(order, lines, lines.size // n if n else 0, n, k, descending)
    return np.moveaxis(order, -1, dim)


def _pick(values: np.ndarray, indices: np.ndarray, source: np.ndarray, places: np.ndarray, dim: int) -> None:
    """Write places, and the elements that stand there."""
    np.copyto(indices, places)
    if values is not source and is_compact(values) and is_compact(source):
        gather(values, source, compact(places), dim)
    else:
        np.copyto(values, np.take_along_axis(source, places, dim))


def sort(values: np.ndarray, indices: np.ndarray, source: np.ndarray, dim: int, descending: bool) -> None:
    """The elements in order, and where they stood."""
    if values.size and not _order_lines(values, indices, source, dim, descending):
        _pick(values, indices, source, _order_of(source, dim, descending), dim)


def topk(values: np.ndarray, indices: np.ndarray, source: np.ndarray, k: int, dim: int, largest: bool) -> None:
    """The first k in order, and where they stood."""
    if values.size and not _order_lines(values, indices, source, dim, largest):
        _pick(values, indices, source, _order_of(source, dim, largest, k), dim)


def median(out: np.ndarray, source: np.ndarray) -> None:
    """The element in the middle of all, the lower one of two; NaN if there is any."""
    flat = widened(source).flatten()
    flat.sort()  # a NaN comes last, and is not equal to itself
    out[()] = flat[-1 if flat[-1] != flat[-1] else (flat.size - 1) // 2]


def median_along(values: np.ndarray, indices: np.ndarray, source: np.ndarray, dim: int) -> None:
    """The median along a dimension, or the first NaN there; results keep the dimension."""
    if not values.size:
        return
    places = np.take(_order_of(source, dim, False), [(source.shape[dim] - 1) // 2], axis=dim)
    plain = widened(source)
    if _has_nan(plain):
        nan = np.isnan(plain)
        places = np.where(nan.any(axis=dim, keepdims=True), nan.argmax(axis=dim, keepdims=True), places)
    _pick(values, indices, source, places, dim)


def kthvalue(values: np.ndarray, indices: np.ndarray, order: np.ndarray, source: np.ndarray, k: int,
             dim: int) -> None:
    """The k-th smallest along a dimension, which the results keep; ``order`` is memory for the places of all."""
    np.copyto(order, _order_of(source, dim, False))
    _pick(values, indices, source, np.take(order, [k - 1], axis=dim), dim)


def mode(values: np.ndarray, indices: np.ndarray, source: np.ndarray, dim: int) -> None:
    """The most frequent elements along a dimension, which the results keep, and the last place of each."""
    if values.size:
        places = _most_frequent(np.moveaxis(widened(source), dim, -1))
        _pick(values, indices, source, np.expand_dims(places, dim), dim)


def _most_frequent(array: np.ndarray) -> np.ndarray:
    """Along the last dimension: the place of the last of the most frequent, smallest elements."""
    order = np.argsort(array, axis=-1, kind="stable")
    ranked = np.take_along_axis(array, order, -1)
    places = np.arange(array.shape[-1])
    starts = np.ones(ranked.shape, bool)
    starts[..., 1:] = ranked[..., 1:] != ranked[..., :-1]
    before = places - np.maximum.accumulate(np.where(starts, places, 0), axis=-1)  # how many equal ones come before
    last = np.argmax(before, axis=-1)
    return np.take_along_axis(order, last[..., None], -1)[..., 0]


def nanmedian(out: np.ndarray, source: np.ndarray) -> None:
    """The number in the middle of all numbers, the lower one of two."""
    plain = np.sort(widened(source), axis=None)
    count = plain.size - (np.count_nonzero(np.isnan(plain)) if plain.dtype.kind == "f" else 0)
    np.copyto(out, plain[max(count - 1, 0) // 2], casting="unsafe")


def nanmedian_along(values: np.ndarray, indices: np.ndarray, source: np.ndarray, dim: int) -> None:
    """The same along a dimension, which the results keep."""
    if not values.size:
        return
    plain = widened(source)
    nans = np.isnan(plain).sum(axis=dim, keepdims=True) if plain.dtype.kind == "f" else 0
    middle = np.broadcast_to(np.maximum(source.shape[dim] - nans - 1, 0) // 2, values.shape)
    places = np.take_along_axis(_order_of(source, dim, False), middle, dim)
    _pick(values, indices, source, places, dim)
