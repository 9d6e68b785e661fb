# cython: annotation_typing=False
"""Distances between vectors, and their derivatives one vector against many at a time, so that memory stays small."""

from __future__ import annotations

import numpy as np

from ... import distances
from ...errstate import silent
from ...layout import compact

Array = np.ndarray


@silent
def cdist(out: Array, one: Array, two: Array, p: float) -> None:
    """out[b, i, j] is the distance of one[b, i] and two[b, j]."""
    distances.between(out, compact(one), compact(two), p)


@silent
def cdist_backward(grad_one: Array, grad: Array, one: Array, two: Array, p: float, apart: Array) -> None:
    """The gradients of all distances of each vector, added up."""
    rows, others = one.shape[-2], two.shape[-2]
    one, two = one.reshape(-1, rows, one.shape[-1]), two.reshape(-1, others, two.shape[-1])
    distances.between_backward(grad_one, compact(grad), compact(one), compact(two), p, compact(apart))


@silent
def pdist(out: Array, x: Array, p: float) -> None:
    """Distances of each row to those behind it, one row after the other."""
    distances.within(out, compact(x), p)


@silent
def pdist_backward(grad_x: Array, grad: Array, x: Array, p: float, apart: Array) -> None:
    """Each pair is pulled together or apart."""
    distances.within_backward(grad_x, compact(grad), compact(x), p, compact(apart))
