"""Reductions over the middle dimension of a contiguous array seen as (outer, n, inner)."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def total(out: Array, x: Array, outer: int, n: int, inner: int) -> None:
    """out[i, k] = the sum over j of x[i, j, k]."""
    out.reshape(outer, inner)[...] = x.reshape(outer, n, inner).sum(axis=1)


def product(out: Array, x: Array, outer: int, n: int, inner: int) -> None:
    """out[i, k] = the product over j of x[i, j, k]."""
    out.reshape(outer, inner)[...] = x.reshape(outer, n, inner).prod(axis=1)


def largest(out: Array, x: Array, outer: int, n: int, inner: int) -> None:
    """out[i, k] = the largest over j of x[i, j, k], a NaN where there is one."""
    out.reshape(outer, inner)[...] = x.reshape(outer, n, inner).max(axis=1, initial=-np.inf)


def smallest(out: Array, x: Array, outer: int, n: int, inner: int) -> None:
    """out[i, k] = the smallest over j of x[i, j, k], a NaN where there is one."""
    out.reshape(outer, inner)[...] = x.reshape(outer, n, inner).min(axis=1, initial=np.inf)


def number_total(out: Array, x: Array, outer: int, n: int, inner: int) -> None:
    """out[i, k] = the sum over j of x[i, j, k]; a NaN counts nothing."""
    out.reshape(outer, inner)[...] = np.nansum(x.reshape(outer, n, inner), axis=1)


def whole_total(out: Array, x: Array, outer: int, n: int, inner: int) -> None:
    """out[i, k] = the sum over j of x[i, j, k] in 64 bits."""
    out.reshape(outer, inner)[...] = x.reshape(outer, n, inner).sum(axis=1, dtype=np.int64)


def root_of_squares(out: Array, x: Array, outer: int, n: int, inner: int) -> None:
    """out[i, k] = the Euclidean norm over j of x[i, j, k]."""
    wide = x.reshape(outer, n, inner).astype(np.float64)
    out.reshape(outer, inner)[...] = np.sqrt(np.square(wide).sum(axis=1))


def spread(means: Array, apart: Array, x: Array, outer: int, n: int, inner: int) -> None:
    """The means over j of x[i, j, k], and the sums of squared distances from them, both in double precision."""
    wide = x.reshape(outer, n, inner).astype(np.float64)
    middle = wide.sum(axis=1) / np.float64(n)
    means.reshape(outer, inner)[...] = middle
    apart.reshape(outer, inner)[...] = np.square(wide - middle[:, None]).sum(axis=1)
