"""Sums over one run of dimensions of a contiguous array."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def total(out: Array, x: Array, outer: int, n: int, inner: int) -> None:
    """out[i, k] = the sum over j of x[i, j, k], for x seen as (outer, n, inner)."""
    out.reshape(outer, inner)[...] = x.reshape(outer, n, inner).sum(axis=1)


def root_of_squares(x: Array) -> float:
    """The Euclidean norm of all elements."""
    flat = x.reshape(-1).astype(np.float64)
    return float(np.sqrt(flat @ flat))
