# cython: annotation_typing=False
"""Activations: compiled loops on arrays of any layout, and NumPy where numbers are complex."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import activation
from ... import unary as unary_loops
from ...layout import unary


def _looped(loop: Callable) -> tuple[Callable, Callable]:
    """A compiled loop as a row of the table."""
    def kernel(x: np.ndarray, *numbers, out: np.ndarray | None = None) -> np.ndarray:
        return unary(loop, x, out, *numbers)
    return kernel, loop


def _silu(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    if x.dtype.kind == "c":
        return np.divide(x, 1 + np.exp(-x), out=out, dtype=x.dtype)
    return unary(activation.silu, x, out)


def _sigmoid(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    if x.dtype.kind == "c":
        return np.divide(1, 1 + np.exp(-x), out=out, dtype=x.dtype)
    return unary(activation.sigmoid, x, out)


ELEMENTWISE = {
    "gelu": _looped(activation.gelu),
    "silu": (_silu, activation.silu),
    "sigmoid": (_sigmoid, activation.sigmoid),
    "tanh": (np.tanh, unary_loops.tanh),
    "hardsigmoid": _looped(activation.hardsigmoid),
    "softplus": _looped(activation.softplus),
    "elu": _looped(activation.elu),
    "leaky_relu": _looped(activation.leaky_relu),
    "mish": _looped(activation.mish),
}


def hardswish(out: np.ndarray, x: np.ndarray) -> None:
    """x relu6(x + 3) / 6."""
    unary(activation.hardswish, x, out)
