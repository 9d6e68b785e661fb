"""Distances between vectors, one vector against many at a time, so that memory stays small."""

from __future__ import annotations

import math

import numpy as np

Array = np.ndarray


def between(out: Array, one: Array, two: Array, p: float) -> None:
    """out[b, i, j] is the distance of one[b, i] and two[b, j]."""
    distances = out.reshape(one.shape[0], one.shape[1], two.shape[1])
    for i in range(one.shape[1]):
        distances[:, i] = _norm(one[:, i:i + 1] - two, p)
    out[...] = distances.reshape(out.shape)


def within(out: Array, x: Array, p: float) -> None:
    """Distances of each row to those behind it, one row after the other."""
    begin = 0
    for i in range(len(x) - 1):
        end = begin + len(x) - i - 1
        out[begin:end] = _norm(x[i] - x[i + 1:], p)
        begin = end


def _norm(differences: Array, p: float) -> Array:
    """The p-norm along the last dimension; of p = 0 the number of elements that are not zero."""
    if p == 0:
        return (differences != 0).sum(-1).astype(differences.dtype)
    if p == 1:
        return np.abs(differences).sum(-1)
    if p == 2:
        return np.sqrt(np.square(differences).sum(-1))
    if math.isinf(p):
        return np.abs(differences).max(-1)
    return (np.abs(differences) ** differences.dtype.type(p)).sum(-1) ** differences.dtype.type(1 / p)
