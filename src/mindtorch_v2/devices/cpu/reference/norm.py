"""Layer and RMS norm over rows, batch and group norm over (n, c, l). Gradients are written, not added."""
from __future__ import annotations

import numpy as np

from ..array_facts import is_half
from ..half_precision import halves_in_float32, in_float32

Array = np.ndarray
Maybe = np.ndarray | None


def _write(out: Maybe, value: Array) -> None:
    if out is not None:
        out[...] = value.reshape(out.shape)


def _affine(hat: Array, weight: Maybe, bias: Maybe) -> Array:
    hat = hat if weight is None else hat * weight
    return hat if bias is None else hat + bias


def _centred(g: Array, hat: Array, axis: int | tuple[int, ...]) -> Array:
    """g without the part that moves the mean and the part that moves the spread."""
    return g - g.mean(axis, keepdims=True) - hat * (g * hat).mean(axis, keepdims=True)


@halves_in_float32(outs=3)
def layer_norm(out: Array, mean: Array, rstd: Array, x: Array, weight: Maybe, bias: Maybe,
               rows: int, cols: int, eps: float) -> None:
    """Each row with its mean taken off and over its standard deviation, times weight, plus bias."""
    x = x.reshape(rows, cols)
    with np.errstate(invalid="ignore"):
        m = x.sum(axis=1, keepdims=True) / max(cols, 1)
        s = 1 / np.sqrt(np.square(x - m).sum(axis=1, keepdims=True) / x.dtype.type(cols) + x.dtype.type(eps))
    weight, bias = (a if a is None else a.reshape(cols) for a in (weight, bias))
    _write(mean, m), _write(rstd, s), _write(out, _affine((x - m) * s, weight, bias))


@halves_in_float32(outs=3)
def layer_norm_backward(gx: Maybe, gw: Maybe, gb: Maybe, grad: Array, x: Array, mean: Array, rstd: Array,
                        weight: Maybe, rows: int, cols: int) -> None:
    """Gradients of layer norm for x, weight and bias; those that are None are left out."""
    g, s = grad.reshape(rows, cols), rstd.reshape(rows, 1)
    hat = (x.reshape(rows, cols) - mean.reshape(rows, 1)) * s
    _write(gw, (g * hat).sum(axis=0)), _write(gb, g.sum(axis=0))
    if gx is not None and gx.size:
        _write(gx, s * _centred(g if weight is None else g * weight.reshape(cols), hat, 1))


@halves_in_float32(outs=2)
def rms_norm(out: Array, rstd: Array, x: Array, weight: Maybe, rows: int, cols: int, eps: float) -> None:
    """Each row over its root mean square, times weight."""
    x = x.reshape(rows, cols)
    with np.errstate(invalid="ignore"):
        s = 1 / np.sqrt(np.square(x).sum(axis=1, keepdims=True) / x.dtype.type(cols) + x.dtype.type(eps))
    _write(rstd, s), _write(out, _affine(x * s, None if weight is None else weight.reshape(cols), None))


@halves_in_float32(outs=2)
def rms_norm_backward(gx: Maybe, gw: Maybe, grad: Array, x: Array, rstd: Array, weight: Maybe,
                      rows: int, cols: int) -> None:
    """Gradients of RMS norm for x and weight; those that are None are left out."""
    g, s = grad.reshape(rows, cols), rstd.reshape(rows, 1)
    hat = x.reshape(rows, cols) * s
    _write(gw, (g * hat).sum(axis=0))
    if gx is not None and gx.size:
        g = g if weight is None else g * weight.reshape(cols)
        _write(gx, s * (g - hat * (g * hat).mean(axis=1, keepdims=True)))


def batch_norm(out: Array, save_mean: Maybe, save_invstd: Maybe, x: Array, weight: Maybe, bias: Maybe,
               running_mean: Maybe, running_var: Maybe, training: bool, momentum: float, eps: float,
               n: int, c: int, l: int) -> None:
    """Each channel normalised by this batch (training, moving the running statistics) or by the running ones."""
    if is_half(x):
        # the running statistics are results too, so they come first
        return in_float32(batch_norm_outs_first, 5, out, save_mean, save_invstd, running_mean, running_var, x,
                          weight, bias, training, momentum, eps, n, c, l)
    if not training and (running_mean is None or running_var is None):
        raise ValueError("batch_norm: running_mean and running_var are wanted where it is not training")
    x = x.reshape(n, c, l)
    if training:
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = x.sum(axis=(0, 2), dtype=np.float64) / np.float64(n * l)
            squares = np.square(x - mean.reshape(1, c, 1)).sum(axis=(0, 2))
            invstd = 1 / np.sqrt(squares / np.float64(n * l) + eps)
            unbiased = squares / np.float64(n * l - 1)
        _write(save_mean, mean), _write(save_invstd, invstd)
        for running, now in ((running_mean, mean), (running_var, unbiased)):
            if running is not None:
                running[...] = momentum * now + (1 - momentum) * running
    else:
        mean, invstd = running_mean, 1 / np.sqrt(running_var.astype(np.float64) + eps)
    column = [a if a is None else a.astype(x.dtype).reshape(1, c, 1) for a in (mean, invstd, weight, bias)]
    _write(out, _affine((x - column[0]) * column[1], *column[2:]))


def batch_norm_outs_first(out: Array, save_mean: Maybe, save_invstd: Maybe, running_mean: Maybe, running_var: Maybe,
                          x: Array, weight: Maybe, bias: Maybe, *rest: float) -> None:
    """batch_norm with everything it writes in front."""
    batch_norm(out, save_mean, save_invstd, x, weight, bias, running_mean, running_var, *rest)


def batch_statistics(mean: Array, invstd: Array, running_mean: Maybe, running_var: Maybe, x: Array, momentum: float,
                     eps: float, n: int, c: int, l: int) -> None:
    """Mean and inverse standard deviation of each channel of this batch, which also move the running statistics."""
    wide = x.reshape(n, c, l).astype(np.float64)
    variance = wide.var((0, 2))
    mean[...], invstd[...] = wide.mean((0, 2)), 1 / np.sqrt(variance + eps)
    unbiased = variance * (n * l / np.float64(n * l - 1))
    for running, now in ((running_mean, mean.astype(np.float64)), (running_var, unbiased)):
        if running is not None:
            running[...] = momentum * now + (1 - momentum) * running


def scale_channels(out: Array, x: Array, scale: Array, shift: Array, n: int, c: int, l: int) -> None:
    """Each channel times a number, plus another."""
    out[...] = (x.reshape(n, c, l) * scale.reshape(1, c, 1) + shift.reshape(1, c, 1)).reshape(out.shape)


@halves_in_float32(outs=3)
def batch_norm_backward(gx: Maybe, gw: Maybe, gb: Maybe, grad: Array, x: Array, weight: Maybe, running_mean: Maybe,
                        running_var: Maybe, save_mean: Maybe, save_invstd: Maybe, training: bool, eps: float,
                        n: int, c: int, l: int) -> None:
    """Gradients of batch norm for x, weight and bias; those that are None are left out."""
    mean = (save_mean if training else running_mean).reshape(1, c, 1)
    invstd = save_invstd if training else 1 / np.sqrt(running_var + x.dtype.type(eps))
    g, invstd = grad.reshape(n, c, l), invstd.reshape(1, c, 1)
    hat = (x.reshape(n, c, l) - mean) * invstd
    _write(gw, (g * hat).sum(axis=(0, 2))), _write(gb, g.sum(axis=(0, 2)))
    if gx is not None and gx.size:
        scale = invstd if weight is None else invstd * weight.reshape(1, c, 1)
        _write(gx, scale * (_centred(g, hat, (0, 2)) if training else g))


@halves_in_float32(outs=3)
def group_norm(out: Array, mean: Array, rstd: Array, x: Array, weight: Maybe, bias: Maybe,
               n: int, c: int, l: int, groups: int, eps: float) -> None:
    """Each group of channels of each sample normalised by itself, then weight and bias by channel."""
    hat = np.empty_like(x)
    layer_norm(hat, mean, rstd, x, None, None, n * groups, c // groups * l, eps)
    weight, bias = (a if a is None else a.reshape(1, c, 1) for a in (weight, bias))
    _write(out, _affine(hat.reshape(n, c, l), weight, bias))


@halves_in_float32(outs=3)
def group_norm_backward(gx: Maybe, gw: Maybe, gb: Maybe, grad: Array, x: Array, mean: Array, rstd: Array,
                        weight: Maybe, n: int, c: int, l: int, groups: int) -> None:
    """Gradients of group norm for x, weight and bias; those that are None are left out."""
    by_group = (n, groups, c // groups * l)
    g, s = grad.reshape(n, c, l), rstd.reshape(n, groups, 1)
    hat = (x.reshape(by_group) - mean.reshape(n, groups, 1)) * s
    _write(gw, (g * hat.reshape(n, c, l)).sum(axis=(0, 2))), _write(gb, g.sum(axis=(0, 2)))
    if gx is not None and gx.size:
        g = g if weight is None else g * weight.reshape(1, c, 1)
        _write(gx, s * _centred(g.reshape(by_group), hat, 2))
