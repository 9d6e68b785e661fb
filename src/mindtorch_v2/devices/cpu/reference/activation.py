"""Activations and their derivatives: name(out, x, …) and name_backward(grad_in, grad, x or y, …)."""
from __future__ import annotations

import functools
import math
from collections.abc import Callable

import numpy as np

from ..half_precision import halves_in_float32

Array = np.ndarray
SQRT_2_OVER_PI, CUBE = math.sqrt(2 / math.pi), 0.044715


def _each(function: Callable[[float], float]) -> np.vectorize:
    return np.vectorize(function, otypes=[np.float64])


_erf, _erfc = _each(math.erf), _each(math.erfc)
_quiet = functools.partial(np.errstate, over="ignore", invalid="ignore", divide="ignore")


def _sigmoid(x: Array) -> Array:
    with _quiet():
        return 1 / (1 + np.exp(-x))


def _softplus(x: Array) -> Array:
    with _quiet():
        return np.logaddexp(0, x)


def _tanh_inner(x: Array) -> Array:
    return np.tanh(SQRT_2_OVER_PI * (x + CUBE * x * x * x))


@halves_in_float32(outs=1)
def gelu(out: Array, x: Array, approximate: str = "none") -> None:
    """x times the normal distribution function, exact ("none") or by its "tanh" formula."""
    with _quiet():
        out[...] = 0.5 * x * (1 + (_tanh_inner(x) if approximate == "tanh" else _erf(x * math.sqrt(0.5))))


@halves_in_float32(outs=1)
def gelu_backward(grad_in: Array, grad: Array, x: Array, approximate: str = "none") -> None:
    """Derivative of gelu."""
    with _quiet():
        if approximate == "tanh":
            t = _tanh_inner(x)
            inner = SQRT_2_OVER_PI * (1 + 3 * CUBE * x * x)
            grad_in[...] = grad * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * inner)
        else:
            density = np.exp(-0.5 * x * x) / math.sqrt(2 * math.pi)
            grad_in[...] = grad * (0.5 * (1 + _erf(x * math.sqrt(0.5))) + x * density)


@halves_in_float32(outs=1)
def elu_backward(grad_in: Array, grad: Array, x: Array, alpha: float, scale: float, input_scale: float,
                 is_result: bool) -> None:
    """Derivative of elu, from its argument or (is_result) from its result."""
    with _quiet():
        slope = x + alpha * scale if is_result else alpha * scale * np.exp(x * input_scale)
        grad_in[...] = np.where(x <= 0, grad * input_scale * slope, grad * scale)


@halves_in_float32(outs=1)
def silu(out: Array, x: Array) -> None:
    """x times its sigmoid."""
    with _quiet():
        out[...] = x / (1 + np.exp(-x))


@halves_in_float32(outs=1)
def sigmoid(out: Array, x: Array) -> None:
    """1 / (1 + exp(-x))."""
    out[...] = _sigmoid(x)


@halves_in_float32(outs=1)
def softplus(out: Array, x: Array, beta: float, threshold: float) -> None:
    """log(1 + exp(beta x)) / beta, and x itself above the threshold."""
    out[...] = np.where(x * beta > threshold, x, _softplus(x * beta) / beta)


@halves_in_float32(outs=1)
def elu(out: Array, x: Array, alpha: float, scale: float, input_scale: float) -> None:
    """x above zero, alpha (exp(x) - 1) below, scaled."""
    with _quiet():
        out[...] = np.where(x < 0, np.expm1(x * input_scale) * (alpha * scale), x * scale)


@halves_in_float32(outs=1)
def leaky_relu(out: Array, x: Array, negative_slope: float) -> None:
    """x above zero, negative_slope x below."""
    out[...] = np.where(x > 0, x, x * negative_slope)


@halves_in_float32(outs=1)
def mish(out: Array, x: Array) -> None:
    """x tanh(softplus(x))."""
    with _quiet():
        out[...] = x * np.tanh(_softplus(x))


@halves_in_float32(outs=1)
def hardswish(out: Array, x: Array) -> None:
    """x relu6(x + 3) / 6."""
    with _quiet():
        out[...] = x * np.clip(x + 3, 0, 6) / 6


@halves_in_float32(outs=1)
def hardsigmoid(out: Array, x: Array) -> None:
    """relu6(x + 3) / 6."""
    out[...] = np.clip(x + 3, 0, 6) / 6


@halves_in_float32(outs=1)
def logsigmoid(out: Array, x: Array) -> None:
    """log of the sigmoid of x."""
    out[...] = -_softplus(-x)


@halves_in_float32(outs=1)
def threshold(out: Array, x: Array, threshold: float, value: float) -> None:
    """x above the threshold, another value elsewhere."""
    out[...] = np.where(x <= x.dtype.type(threshold), value, x)


@halves_in_float32(outs=1)
def hardshrink(out: Array, x: Array, lambd: float) -> None:
    """x outside of [-lambd, lambd], zero inside."""
    lambd = x.dtype.type(lambd)
    out[...] = np.where((x >= -lambd) & (x <= lambd), 0, x)


@halves_in_float32(outs=1)
def softshrink(out: Array, x: Array, lambd: float) -> None:
    """x moved towards zero by lambd, and zero within lambd of it."""
    step = x.dtype.type(lambd)
    out[...] = np.where(x > step, x - step, np.where(x < -step, x + step, x * 0))


@halves_in_float32(outs=1)
def erf(out: Array, x: Array) -> None:
    """Error function."""
    out[...] = _erf(x)


@halves_in_float32(outs=1)
def erfinv(out: Array, x: Array) -> None:
    """Inverse of the error function."""
    # Winitzki's closed form is good to 2e-3; two steps of Halley's method, on erfc in the tail, give the rest
    a = np.abs(x.astype(np.float64))
    with _quiet():
        log = np.log1p(-a * a)
        t = 4.3307467507998 + log / 2
        w = np.sqrt(np.sqrt(t * t - log / 0.147) - t)
        for _ in range(2):
            u = np.where(a < 0.5, _erf(w) - a, (1 - a) - _erfc(w)) / (2 / math.sqrt(math.pi) * np.exp(-w * w))
            w = w - u / (1 + w * u)
    out[...] = np.copysign(np.where(a < 1, w, np.where(a == 1, np.inf, np.nan)), x)


@halves_in_float32(outs=1)
def silu_backward(grad_in: Array, grad: Array, x: Array) -> None:
    """Derivative of silu."""
    s = _sigmoid(x)
    with _quiet():
        grad_in[...] = grad * s * (1 + x * (1 - s))


@halves_in_float32(outs=1)
def sigmoid_backward(grad_in: Array, grad: Array, y: Array) -> None:
    """Derivative of sigmoid, from its result y."""
    grad_in[...] = grad * (1 - y) * y


@halves_in_float32(outs=1)
def tanh_backward(grad_in: Array, grad: Array, y: Array) -> None:
    """Derivative of tanh, from its result y."""
    grad_in[...] = grad * (1 - y * y)


@halves_in_float32(outs=1)
def threshold_backward(grad_in: Array, grad: Array, x: Array, threshold: float) -> None:
    """Derivative of threshold."""
    grad_in[...] = np.where(x <= threshold, 0, grad)


@halves_in_float32(outs=1)
def softplus_backward(grad_in: Array, grad: Array, x: Array, beta: float, threshold: float) -> None:
    """Derivative of softplus."""
    grad_in[...] = np.where(x * beta > threshold, grad, grad * _sigmoid(x * beta))


@halves_in_float32(outs=1)
def leaky_relu_backward(grad_in: Array, grad: Array, x: Array, negative_slope: float) -> None:
    """Derivative of leaky_relu."""
    grad_in[...] = np.where(x > 0, grad, grad * negative_slope)


@halves_in_float32(outs=1)
def hardtanh_backward(grad_in: Array, grad: Array, x: Array, min_val: float, max_val: float) -> None:
    """Derivative of hardtanh."""
    grad_in[...] = np.where((x <= min_val) | (x >= max_val), 0, grad)


@halves_in_float32(outs=1)
def mish_backward(grad_in: Array, grad: Array, x: Array) -> None:
    """Derivative of mish."""
    t = np.tanh(_softplus(x))
    with _quiet():
        grad_in[...] = grad * (t + x * _sigmoid(x) * (1 - t * t))


@halves_in_float32(outs=1)
def hardswish_backward(grad_in: Array, grad: Array, x: Array) -> None:
    """Derivative of hardswish."""
    with _quiet():
        grad_in[...] = np.where(x <= -3, 0, np.where(x < 3, grad * (x / 3 + 0.5), grad))


@halves_in_float32(outs=1)
def hardsigmoid_backward(grad_in: Array, grad: Array, x: Array) -> None:
    """Derivative of hardsigmoid."""
    grad_in[...] = np.where((x > -3) & (x < 3), grad * grad.dtype.type(np.float32(1) / 6), 0)  # so precise in torch


@halves_in_float32(outs=1)
def logsigmoid_backward(grad_in: Array, grad: Array, x: Array) -> None:
    """Derivative of logsigmoid."""
    grad_in[...] = grad * _sigmoid(-x)


@halves_in_float32(outs=1)
def shrink_backward(grad_in: Array, grad: Array, x: Array, lambd: float) -> None:
    """Derivative of hardshrink and softshrink."""
    grad_in[...] = np.where((x >= -lambd) & (x <= lambd), 0, grad)
