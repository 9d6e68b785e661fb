# cython: annotation_typing=False
"""Derivatives of layer and group norm: compiled loops, and the sums that lead to the parameters' gradients."""

from __future__ import annotations

import numpy as np

from ... import norm, sums
from ...array_facts import is_compact
from ...errstate import silent
from ...half_precision import widened
from ...layout import compact, transcribe


def layer_norm_grads(grad_input, grad_weight, grad_bias, sums, grad, x, mean, rstd, weight, rows, cols) -> None:
    """The gradients that are wanted, None for the others; ``sums`` is where weight's and bias's are added up."""
    sums = widened(sums)  # half types are added up in float32, in memory of our own
    of_weight = None if grad_weight is None else sums[0, 0]
    of_bias = None if grad_bias is None else sums[1, 0]
    norm.layer_norm_backward(grad_input, of_weight, of_bias, grad, x, mean, rstd, weight, rows, cols)
    for out, total in ((grad_weight, of_weight), (grad_bias, of_bias)):
        if out is not None:
            out[...] = total.reshape(out.shape)  # rounded only now


def _positions(x: np.ndarray) -> np.ndarray | None:
    """(n, c, *sizes) as (n, positions, c) where channels lie last in memory, else None."""
    turned = np.moveaxis(x, 1, -1)
    return turned.reshape(len(x), -1, x.shape[1]) if x.size and is_compact(turned) else None


@silent
def _group_norm_last(out, mean, rstd, x, weight, bias, groups: int, eps: float) -> None:
    """Group norm of (n, positions, c): statistics of channels become those of their groups."""
    n, length, c = x.shape
    means, apart, wide = np.empty((n, c)), np.empty((n, c)), widened(x)
    sums.spread(means, apart, wide, n, length, c)
    each = means.reshape(n, groups, c // groups)
    middle = each.mean(-1, keepdims=True)
    apart = (apart.reshape(each.shape) + length * np.square(each - middle)).sum(-1)
    scale = 1 / np.sqrt(apart / (length * (c // groups)) + eps)
    mean[...], rstd[...] = middle.reshape(mean.shape), scale.reshape(rstd.shape)
    alpha = np.repeat(scale, c // groups, axis=1) * (1 if weight is None else weight)
    beta = (0 if bias is None else bias) - np.repeat(middle[..., 0], c // groups, axis=1) * alpha
    alpha, beta = alpha.astype(wide.dtype), beta.astype(wide.dtype)
    for item in range(n):
        norm.scale_channels(out[item], x[item], alpha[item], beta[item], length, c, 1)


def group_norm(out, mean, rstd, x, weight, bias, n, c, length, groups, eps) -> None:
    """Each group of channels normalised by itself; what lies neither in order nor by position is computed aside."""
    by_position = None if is_compact(x) or is_compact(out) else [_positions(a) for a in (out, x)]
    if by_position is not None and all([a is not None for a in by_position]):
        _group_norm_last(by_position[0], mean, rstd, by_position[1], weight, bias, groups, eps)
        return
    into = out if is_compact(out) else np.empty(out.shape, out.dtype)
    norm.group_norm(into, mean, rstd, compact(x), weight, bias, n, c, length, groups, eps)
    if into is not out:
        transcribe(out, into)


@silent
def group_norm_grads(grad_input, grad_weight, grad_bias, by_input, plain, grad, x, mean, rstd, weight, n, c, length,
                     groups) -> None:
    """The gradients that are wanted; ``by_input`` and ``plain`` are torch's place for sums, of which the loop keeps its
    own."""
    is_direct = grad_input is None or is_compact(grad_input)
    into = grad_input if is_direct else np.empty(grad_input.shape, grad_input.dtype)
    norm.group_norm_backward(into, grad_weight, grad_bias, compact(grad), compact(x), mean, rstd, weight, n, c, length,
                             groups)
    if not is_direct:
        transcribe(grad_input, into)
