# cython: annotation_typing=False
"""Derivatives of the activations, from their argument or from their result."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import activation
from ...layout import binary


def _looped(loop: Callable) -> tuple[Callable, Callable]:
    """A compiled loop as a row of the table."""
    def kernel(grad: np.ndarray, x: np.ndarray, *numbers) -> np.ndarray:
        return binary(loop, grad, x, *numbers)
    return kernel, loop


def _threshold_backward(grad: np.ndarray, x: np.ndarray, threshold) -> np.ndarray:
    if x.dtype.kind not in "fV":
        return np.where(x <= threshold, x.dtype.type(0), grad)
    return binary(activation.threshold_backward, grad, x, threshold)


def _sigmoid_backward(grad: np.ndarray, y: np.ndarray) -> np.ndarray:
    if y.dtype.kind == "c":
        return grad * np.conj((1 - y) * y)
    return binary(activation.sigmoid_backward, grad, y)


def _tanh_backward(grad: np.ndarray, y: np.ndarray) -> np.ndarray:
    if y.dtype.kind == "c":
        return grad * np.conj(1 - y * y)
    return binary(activation.tanh_backward, grad, y)


def _elu_backward(grad: np.ndarray, alpha, scale, input_scale, is_result: bool, x: np.ndarray) -> np.ndarray:
    return binary(activation.elu_backward, grad, x, alpha, scale, input_scale, is_result)


def _leaky_relu_backward(grad: np.ndarray, x: np.ndarray, negative_slope, is_result: bool) -> np.ndarray:
    return binary(activation.leaky_relu_backward, grad, x, negative_slope)


ELEMENTWISE = {
    "threshold_backward": (_threshold_backward, activation.threshold_backward),
    "sigmoid_backward": (_sigmoid_backward, activation.sigmoid_backward),
    "tanh_backward": (_tanh_backward, activation.tanh_backward),
    "silu_backward": _looped(activation.silu_backward),
    "hardsigmoid_backward": _looped(activation.hardsigmoid_backward),
    "softplus_backward": _looped(activation.softplus_backward),
    "elu_backward": (_elu_backward, None),
    "leaky_relu_backward": (_leaky_relu_backward, None),
    "hardshrink_backward": _looped(activation.shrink_backward),
    "softshrink_backward": _looped(activation.shrink_backward),
}


def gelu_backward(grad_input: np.ndarray, grad: np.ndarray, x: np.ndarray, approximate: str) -> None:
    """Derivative of gelu."""
    activation.gelu_backward(grad_input, grad, x, approximate)


def hardtanh_backward(grad_input: np.ndarray, grad: np.ndarray, x: np.ndarray, min_val, max_val) -> None:
    """Derivative of hardtanh."""
    activation.hardtanh_backward(grad_input, grad, x, min_val, max_val)


def hardswish_backward(grad_input: np.ndarray, grad: np.ndarray, x: np.ndarray) -> None:
    """Derivative of hardswish."""
    activation.hardswish_backward(grad_input, grad, x)


def mish_backward(grad_input: np.ndarray, grad: np.ndarray, x: np.ndarray) -> None:
    """Derivative of mish."""
    activation.mish_backward(grad_input, grad, x)


def log_sigmoid_backward(grad_input: np.ndarray, grad: np.ndarray, x: np.ndarray) -> None:
    """Derivative of log_sigmoid."""
    activation.logsigmoid_backward(grad_input, grad, x)
