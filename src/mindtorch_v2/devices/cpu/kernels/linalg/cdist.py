# cython: annotation_typing=False
"""Distances between vectors, and their derivatives one vector against many at a time, so that memory stays small."""

from __future__ import annotations

import math

import numpy as np

from ... import distances
from ...errstate import silent
from ...layout import compact

Array = np.ndarray


def _slopes(differences: Array, grad: Array, distance: Array, p: float) -> Array:
    """The derivative of a distance by each difference times its gradient; zero where nothing is apart."""
    if p == 0:
        return np.zeros_like(differences)
    if p == 1:
        return grad * np.sign(differences)
    if math.isinf(p):
        return grad * np.sign(differences) * (np.abs(differences) == distance)
    if p == 2:
        slopes = grad * differences / distance
    else:
        power = np.abs(differences) ** differences.dtype.type(p - 1)
        slopes = np.sign(differences) * power * grad / distance ** differences.dtype.type(p - 1)
        slopes = np.where((differences == 0) & (p < 1), 0, slopes)
    return np.where(distance == 0, 0, slopes)


@silent
def cdist(out: Array, one: Array, two: Array, p: float) -> None:
    """out[b, i, j] is the distance of one[b, i] and two[b, j]."""
    distances.between(out, compact(one), compact(two), p)


@silent
def cdist_backward(grad_one: Array, grad: Array, one: Array, two: Array, p: float, apart: Array) -> None:
    """The gradients of all distances of each vector, added up."""
    rows, others = one.shape[-2], two.shape[-2]
    one, two = one.reshape(-1, rows, one.shape[-1]), two.reshape(-1, others, two.shape[-1])
    grad, apart = grad.reshape(-1, rows, others, 1), apart.reshape(-1, rows, others, 1)
    for i in range(rows):
        grad_one[:, i] = _slopes(one[:, i:i + 1] - two, grad[:, i], apart[:, i], p).sum(-2)


def _pairs(rows: int) -> list[tuple[int, int, int]]:
    """For each row the places of its distances to those behind it."""
    begins = [i * rows - i * (i + 1) // 2 for i in range(rows)]
    return list(zip(range(rows), begins, begins[1:]))


@silent
def pdist(out: Array, x: Array, p: float) -> None:
    """Distances of each row to those behind it, one row after the other."""
    distances.within(out, compact(x), p)


@silent
def pdist_backward(grad_x: Array, grad: Array, x: Array, p: float, apart: Array) -> None:
    """Each pair is pulled together or apart; ``grad_x`` comes as zeros."""
    for i, begin, end in _pairs(len(x)):
        slopes = _slopes(x[i] - x[i + 1:], grad[begin:end, None], apart[begin:end, None], p)
        grad_x[i] += slopes.sum(0)
        grad_x[i + 1:] -= slopes
