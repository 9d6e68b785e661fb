"""Softmax, log-softmax and their derivatives over the middle axis of (outer, dim, inner)."""
from __future__ import annotations

import numpy as np

from ..half_precision import halves_in_float32


def _shifted(x: np.ndarray) -> np.ndarray:
    return x - x.max(axis=1, keepdims=True, initial=-np.inf)


@halves_in_float32(outs=1)
def softmax(out: np.ndarray, x: np.ndarray, outer: int, dim: int, inner: int) -> None:
    """exp(x) over its sum along dim."""
    with np.errstate(invalid="ignore"):
        e = np.exp(_shifted(x.reshape(outer, dim, inner)))
        out.reshape(outer, dim, inner)[...] = e / e.sum(axis=1, keepdims=True)


@halves_in_float32(outs=1)
def log_softmax(out: np.ndarray, x: np.ndarray, outer: int, dim: int, inner: int) -> None:
    """x minus the log of the sum of exp(x) along dim."""
    with np.errstate(invalid="ignore", divide="ignore"):
        shifted = _shifted(x.reshape(outer, dim, inner))
        out.reshape(outer, dim, inner)[...] = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


@halves_in_float32(outs=1)
def softmax_backward(grad_in: np.ndarray, grad_out: np.ndarray, y: np.ndarray,
                     outer: int, dim: int, inner: int) -> None:
    """Derivative of softmax, from its result y."""
    g, y = grad_out.reshape(outer, dim, inner), y.reshape(outer, dim, inner)
    grad_in.reshape(outer, dim, inner)[...] = (g - (g * y).sum(axis=1, keepdims=True)) * y


@halves_in_float32(outs=1)
def log_softmax_backward(grad_in: np.ndarray, grad_out: np.ndarray, y: np.ndarray,
                         outer: int, dim: int, inner: int) -> None:
    """Derivative of log-softmax, from its result y."""
    g, y = grad_out.reshape(outer, dim, inner), y.reshape(outer, dim, inner)
    grad_in.reshape(outer, dim, inner)[...] = g - np.exp(y) * g.sum(axis=1, keepdims=True)
