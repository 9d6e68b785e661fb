# cython: annotation_typing=False
"""Batch norm: statistics of each channel, what they make of the input, and its gradients."""

from __future__ import annotations

import math

import numpy as np

from ... import norm
from ...array_facts import is_compact, is_half
from ...errstate import silent
from ...half_precision import widened
from ...layout import compact


def _wide(x: np.ndarray) -> np.dtype:
    """The type that is computed in."""
    return np.dtype(np.float32) if is_half(x) else x.dtype


def _spans(x: np.ndarray) -> tuple[int, int, int]:
    """Samples, channels, and elements of each channel in a sample."""
    return x.shape[0], x.shape[1], math.prod(x.shape[2:])


def _is_plain(x: np.ndarray, *others: np.ndarray | None) -> bool:
    """Whether compiled loops take them: float32 or float64, in C order, of one type."""
    return x.dtype.char in "fd" and all([a is None or a.dtype == x.dtype and is_compact(a)
                                         for a in (x, *others)])


def _rows_of_channels(x: np.ndarray) -> np.ndarray | None:
    """An array whose channels lie innermost as rows of them; None for any other."""
    turned = np.moveaxis(x, 1, -1)
    return turned.reshape(-1, x.shape[1]) if is_compact(turned) else None


@silent
def batch_statistics(save_mean, save_invstd, running_mean, running_var, mean, squares, sums, input, momentum,
                     eps) -> None:
    """This batch's statistics, which also move the running ones, of an input in C order.

    Where channels lie innermost (``sums``), sums are gathered row by row in the type that is computed in.
    """
    input = widened(input)
    if _is_plain(input, save_mean, save_invstd, running_mean, running_var):
        norm.batch_statistics(save_mean, save_invstd, running_mean, running_var, input, momentum, eps, *_spans(input))
        return
    if _is_plain(input):  # and parameters are halves: with a momentum of one, statistics are the batch's
        now = np.zeros((4, input.shape[1]), input.dtype)
        norm.batch_statistics(*now, input, 1.0, eps, *_spans(input))
        save_mean[...], save_invstd[...] = now[0], now[1]
        _move_running(running_mean, running_var, now[2], now[3], momentum)
        return
    x = input.reshape(_spans(input))
    count = x.shape[0] * x.shape[2]
    mean[...] = _channel_sums(x, sums) / count
    squares[...] = _channel_sums(np.square(x - mean.reshape(1, -1, 1)), sums)
    save_mean[...] = mean
    _remember(save_invstd, running_mean, running_var, mean, squares, count, momentum, eps)


def _channel_sums(x: np.ndarray, sums: np.ndarray | None) -> np.ndarray:
    if sums is None:
        return x.sum(axis=(0, 2), dtype=np.float64)
    return np.sum(x, axis=(0, 2), out=sums[0], dtype=sums.dtype)


@silent
def strided_batch_statistics(save_mean, save_invstd, running_mean, running_var, input, momentum, eps) -> None:
    """The same for an input whose memory is not in order, and whose mean is known."""
    rows = _rows_of_channels(input)
    if rows is not None and _is_plain(widened(rows)):
        batch_statistics(np.empty_like(save_mean), save_invstd, running_mean, running_var, None, None, None, rows,
                         momentum, eps)
        return
    others = (0, *range(2, input.ndim))
    x = input.astype(_wide(input), copy=False)
    squares = np.square(x - save_mean.reshape(1, -1, *[1] * (input.ndim - 2))).sum(axis=others)
    _remember(save_invstd, running_mean, running_var, save_mean, squares, input.size // input.shape[1], momentum, eps)


def _remember(save_invstd, running_mean, running_var, mean, squares, count: int, momentum: float, eps: float) -> None:
    save_invstd[...] = 1 / np.sqrt(squares / count + eps)
    _move_running(running_mean, running_var, mean, squares / np.float64(count - 1), momentum)


def _move_running(running_mean, running_var, mean, variance, momentum: float) -> None:
    for running, now in ((running_mean, mean), (running_var, variance)):
        if running is not None:
            running[...] = momentum * now.astype(np.float64) + (1 - momentum) * running.astype(np.float64)


@silent
def inverse_std(out: np.ndarray, variance: np.ndarray, eps: float) -> None:
    """One over the standard deviation."""
    out[...] = 1 / np.sqrt(variance + out.dtype.type(eps))


@silent
def normalise_by_batch(out, alpha, beta, input, mean, invstd, weight, bias) -> None:
    """out = alpha x + beta, with alpha and beta for each channel, of an input in C order."""
    alpha[...] = invstd if weight is None else invstd * weight
    beta[...] = -mean * alpha if bias is None else bias - mean * alpha
    spans = _spans(input)
    halves = is_half(input) and alpha.dtype == np.float32 and is_compact(input) and is_compact(out)
    if halves or _is_plain(input, out, alpha, beta):
        norm.scale_channels(out, input, alpha, beta, *spans)
        return
    x, normalised = input.reshape(spans), out.reshape(spans)
    scale, shift = alpha.reshape(1, -1, 1), beta.reshape(1, -1, 1)
    normalised[...] = x.astype(alpha.dtype, copy=False) * scale + shift


@silent
def normalise_by_running(out, alpha, beta, input, mean, variance, weight, bias, eps) -> None:
    """The same by running statistics."""
    invstd = 1 / np.sqrt(variance + variance.dtype.type(eps))
    normalise_by_batch(out, alpha, beta, input, mean, invstd, weight, bias)


@silent
def normalise_strided(out, input, mean, invstd, weight, bias) -> None:
    """The same element by element; statistics and parameters come with the dimensions of the input."""
    x, into = _rows_of_channels(input), _rows_of_channels(out)
    if x is not None and into is not None and x.dtype == into.dtype and _wide(x) == mean.dtype:
        alpha = (invstd if weight is None else invstd * weight).reshape(-1)
        beta = -mean.reshape(-1) * alpha if bias is None else bias.reshape(-1) - mean.reshape(-1) * alpha
        norm.scale_channels(into, x, *[a.astype(mean.dtype, copy=False) for a in (alpha, beta)], *x.shape, 1)
        return
    normalised = (input.astype(_wide(input), copy=False) - mean) * invstd
    if weight is not None:
        normalised *= weight
    if bias is not None:
        normalised += bias
    out[...] = normalised


@silent
def batch_norm_grads(grad_input, grad_weight, grad_bias, total, grad, input, weight, running_mean, running_var,
                     save_mean, save_invstd, train: bool, eps: float) -> None:
    """The gradients that are wanted; ``total``, the sum of grad for each channel, where it is already known."""
    given = [None if a is None else compact(a)
             for a in (grad, input, weight, running_mean, running_var, save_mean, save_invstd)]
    into = grad_input if grad_input is None or is_compact(grad_input) else np.empty(input.shape, input.dtype)
    norm.batch_norm_backward(into, grad_weight, grad_bias, *given, train, eps, *_spans(input))
    if into is not grad_input:
        grad_input[...] = into
    if total is not None and grad_bias is not None:
        grad_bias[...] = total


@silent
def variance_of_inverse(invstd: np.ndarray) -> None:
    """Variances in the place of inverse standard deviations."""
    np.divide(1, np.square(invstd), out=invstd)
