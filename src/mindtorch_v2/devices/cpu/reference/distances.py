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
        return np.where(np.isnan(differences), differences, differences != 0).sum(-1).astype(differences.dtype)
    if p == 1:
        return np.abs(differences).sum(-1)
    if p == 2:
        return np.sqrt(np.square(differences).sum(-1))
    if math.isinf(p):
        return np.abs(differences).max(-1)
    return (np.abs(differences) ** differences.dtype.type(p)).sum(-1) ** differences.dtype.type(1 / p)


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


def between_backward(grad_one: Array, grad: Array, one: Array, two: Array, p: float, apart: Array) -> None:
    """The gradient of between() by its first vectors, from distances that are known."""
    grad, apart = [array.reshape(*one.shape[:2], two.shape[1], 1) for array in (grad, apart)]
    for i in range(one.shape[1]):
        grad_one[:, i] = _slopes(one[:, i:i + 1] - two, grad[:, i], apart[:, i], p).sum(-2)


def within_backward(grad_x: Array, grad: Array, x: Array, p: float, apart: Array) -> None:
    """The gradient of within(), from distances that are known."""
    grad_x[...] = 0
    begin = 0
    for i in range(len(x) - 1):
        end = begin + len(x) - i - 1
        slopes = _slopes(x[i] - x[i + 1:], grad[begin:end, None], apart[begin:end, None], p)
        grad_x[i] += slopes.sum(0)
        grad_x[i + 1:] -= slopes
        begin = end
