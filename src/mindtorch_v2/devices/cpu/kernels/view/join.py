# cython: annotation_typing=False
"""Arrays one after the other."""

from __future__ import annotations

import math

import numpy as np

from ... import moving, pointwise

LONG = 32_768  # elements from which copies are shared out among threads


def concatenate(out: np.ndarray, arrays: list[np.ndarray], dim: int) -> None:
    """Arrays of one type along a dimension."""
    if moving.concatenate(out, arrays, dim):
        return
    if out.size <= LONG:
        np.concatenate(arrays, dim, out=out)
        return
    if dim and moving.join(out, arrays, math.prod(out.shape[:dim])):
        return
    start = 0
    for array in arrays:
        end = start + array.shape[dim]
        pointwise.copy(out[(slice(None),) * dim + (slice(start, end),)], array)
        start = end


def stack(out: np.ndarray, arrays: list[np.ndarray], dim: int) -> None:
    """Arrays of one type and shape along a new dimension."""
    if moving.stack(out, arrays, dim):
        return
    if out.size <= LONG:
        np.stack(arrays, dim, out=out)
        return
    if dim and moving.join(out, arrays, math.prod(out.shape[:dim])):
        return
    for at, array in enumerate(arrays):
        pointwise.copy(out[(slice(None),) * dim + (at,)], array)
