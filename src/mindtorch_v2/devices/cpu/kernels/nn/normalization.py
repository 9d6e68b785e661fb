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


def group_norm(out, mean, rstd, x, weight, bias, n, c, length, groups, eps) -> None:
    """Each group of channels normalised by itself; what does not lie in C order is computed beside it."""
    into = out if is_compact(out) else np.empty(out.shape, out.dtype)
    norm.group_norm(into, mean, rstd, compact(x), weight, bias, n, c, length, groups, eps)
    if into is not out:
        transcribe(out, into)


@silent
def group_norm_grads(grad_input, grad_weight, grad_bias, by_input, plain, grad, x, mean, rstd, weight, n, c, length,
                     groups) -> None:
    """The gradients that are wanted; ``by_input`` and ``plain`` are each channel's sums of grad * input and of grad."""
    grad, x = compact(grad), compact(x)
    wide_grad, wide_x = [widened(a).reshape(n, c, length) for a in (grad, x)]
    np.einsum("ncl,ncl->nc", wide_grad, wide_x, out=by_input)
    sums.total(plain, wide_grad, n * c, length, 1)
    if grad_input is not None:
        into = grad_input if is_compact(grad_input) else np.empty(grad_input.shape, grad_input.dtype)
        norm.group_norm_backward(into, None, None, grad, x, mean, rstd, weight, n, c, length, groups)
        if into is not grad_input:
            transcribe(grad_input, into)
    if grad_weight is not None:
        means, scales = [np.repeat(a, c // groups, axis=1) for a in (mean, rstd)]
        grad_weight[...] = ((by_input - plain * means) * scales).sum(axis=0)
    if grad_bias is not None:
        grad_bias[...] = plain.sum(axis=0)
