# cython: annotation_typing=False
"""Activations with a threshold, a gate or a weight of their own."""

from __future__ import annotations

import numpy as np

from ... import activation, pointwise
from ...errstate import silent


def _threshold(x: np.ndarray, threshold, value) -> np.ndarray:
    kind = x.dtype.type
    return np.where(x <= kind(threshold), kind(value), x)


def _hardshrink(x: np.ndarray, lambd) -> np.ndarray:
    return np.where((x >= -lambd) & (x <= lambd), x.dtype.type(0), x)


def _softshrink(x: np.ndarray, lambd, out: np.ndarray | None = None) -> np.ndarray:
    step = x.dtype.type(lambd)
    return np.subtract(x, np.clip(x, -step, step), out=out)


ELEMENTWISE = {
    "threshold": (_threshold, activation.threshold),
    "hardshrink": (_hardshrink, activation.hardshrink),
    "softshrink": (_softshrink, activation.softshrink),
}


def log_sigmoid_forward(output: np.ndarray, buffer: np.ndarray, x: np.ndarray) -> None:
    """log(sigmoid(x)), and exp(-|x|), from which torch tells the derivative; all arrays in C order."""
    activation.logsigmoid(output, x)
    np.exp(-np.abs(x), out=buffer)


@silent
def glu(out: np.ndarray, first: np.ndarray, second: np.ndarray) -> None:
    """One half times the sigmoid of the other."""
    activation.sigmoid(out, second)
    pointwise.mul(out, out, first)


@silent
def glu_gate_backward(grad_second: np.ndarray, grad: np.ndarray, first: np.ndarray, gate: np.ndarray) -> None:
    """The gradient of the half that the gate, its sigmoid, was worked out from."""
    pointwise.sub(grad_second, np.ones((), gate.dtype), gate)
    for factor in (gate, grad, first):
        pointwise.mul(grad_second, grad_second, factor)


def _by_sign(out: np.ndarray, x: np.ndarray, above: np.ndarray, below: np.ndarray) -> None:
    """One of two values for each element, by whether x is above zero there."""
    is_above = np.empty(out.shape, np.bool_)
    pointwise.gt(is_above, x, np.zeros((), x.dtype))
    pointwise.where(out, is_above, above, below)


def _product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    out = np.empty(np.broadcast_shapes(a.shape, b.shape), a.dtype)
    pointwise.mul(out, a, b)
    return out


def prelu_backward(grad_self: np.ndarray, grad_weight: np.ndarray, grad: np.ndarray, x: np.ndarray,
                   weight: np.ndarray) -> None:
    """The gradients of x and of weight, the latter still one for each element."""
    _by_sign(grad_self, x, grad, _product(grad, weight))
    _by_sign(grad_weight, x, np.zeros((), x.dtype), _product(grad, x))
