"""Running sums, products and extremes along the middle dimension of a contiguous array seen as (outer, n, inner)."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def _wide(x: Array) -> type:
    return {"c": np.complex128, "f": np.float64}.get(x.dtype.kind, np.int64)


def running_total(out: Array, x: Array, outer: int, n: int, inner: int) -> None:
    """out[i, j, k] = the sum of x[i, :j + 1, k]."""
    out.reshape(outer, n, inner)[...] = x.reshape(outer, n, inner).cumsum(axis=1, dtype=_wide(x))


def running_product(out: Array, x: Array, outer: int, n: int, inner: int) -> None:
    """out[i, j, k] = the product of x[i, :j + 1, k]."""
    out.reshape(outer, n, inner)[...] = x.reshape(outer, n, inner).cumprod(axis=1, dtype=_wide(x))


def running_extreme(values: Array, places: Array, x: Array, outer: int, n: int, inner: int, is_smallest: bool) -> None:
    """The largest, or smallest, of x[i, :j + 1, k] and the last place of it; a NaN is the extreme from there on."""
    lines = x.reshape(outer, n, inner)
    extremes = (np.minimum if is_smallest else np.maximum).accumulate(lines, 1)
    is_new = (lines == extremes) | (lines != lines)
    values.reshape(outer, n, inner)[...] = extremes
    counted = np.where(is_new, np.arange(n).reshape(1, -1, 1), 0)
    places.reshape(outer, n, inner)[...] = np.maximum.accumulate(counted, 1)
