"""Reductions over some dimensions; variances over the middle of a contiguous array seen as (outer, n, inner)."""

from __future__ import annotations

import numpy as np

Array = np.ndarray
Dims = tuple[int, ...]


def total(out: Array, x: Array, dims: Dims) -> None:
    """The sum over some dimensions; that of whole numbers is an int64."""
    _fill(out, np.add.reduce(x, axis=dims, dtype=np.int64 if x.dtype.kind in "iub" else None))


def product(out: Array, x: Array, dims: Dims) -> None:
    """The product over some dimensions."""
    _fill(out, np.multiply.reduce(x, axis=dims, dtype=out.dtype if x.dtype.kind in "iub" else None))


def largest(out: Array, x: Array, dims: Dims) -> None:
    """The largest over some dimensions, a NaN where there is one."""
    _fill(out, np.max(x, axis=dims, initial=_end(x, -np.inf)))


def smallest(out: Array, x: Array, dims: Dims) -> None:
    """The smallest over some dimensions, a NaN where there is one."""
    _fill(out, np.min(x, axis=dims, initial=_end(x, np.inf)))


def largest_size(out: Array, x: Array, dims: Dims) -> None:
    """The largest absolute value over some dimensions, a NaN where there is one."""
    _fill(out, np.max(np.abs(x), axis=dims, initial=0))


def number_total(out: Array, x: Array, dims: Dims) -> None:
    """The sum over some dimensions; a NaN counts nothing."""
    _fill(out, np.nansum(x, axis=dims))


def size_total(out: Array, x: Array, dims: Dims) -> None:
    """The sum of absolute values over some dimensions."""
    _fill(out, np.add.reduce(np.abs(x), axis=dims))


def root_of_squares(out: Array, x: Array, dims: Dims) -> None:
    """The Euclidean norm over some dimensions."""
    _fill(out, np.sqrt(np.add.reduce(np.square(x.astype(np.float64)), axis=dims)))


def count_of_true(out: Array, x: Array, dims: Dims) -> None:
    """How many elements over some dimensions are not zero."""
    _fill(out, np.add.reduce(x != 0, axis=dims, dtype=np.int64))


def any_true(out: Array, x: Array, dims: Dims) -> None:
    """Whether any element over some dimensions is not zero."""
    _fill(out, np.logical_or.reduce(x != 0, axis=dims))


def all_true(out: Array, x: Array, dims: Dims) -> None:
    """Whether no element over some dimensions is zero."""
    _fill(out, np.logical_and.reduce(x != 0, axis=dims))


def _end(x: Array, infinity: float):
    """What the largest or smallest of nothing is."""
    if x.dtype.kind == "b":
        return infinity > 0
    if x.dtype.kind not in "iu":
        return infinity
    return np.iinfo(x.dtype).max if infinity > 0 else np.iinfo(x.dtype).min


def _fill(out: Array, values: Array) -> None:
    """Write results into an array that may keep the reduced dimensions with size one."""
    out[...] = np.reshape(values, out.shape)


def spread(means: Array, apart: Array, x: Array, outer: int, n: int, inner: int) -> None:
    """The means over j of x[i, j, k], and the sums of squared distances from them, both in double precision."""
    wide = x.reshape(outer, n, inner).astype(np.float64)
    middle = wide.sum(axis=1) / np.float64(n)
    means.reshape(outer, inner)[...] = middle
    apart.reshape(outer, inner)[...] = np.square(wide - middle[:, None]).sum(axis=1)
