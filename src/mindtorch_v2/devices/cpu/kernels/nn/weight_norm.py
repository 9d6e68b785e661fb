"""Weights scaled to given norms along their first or last dimension, and the gradients of that."""

from __future__ import annotations

import math

import numpy as np

from ... import pointwise, sums
from ...array_facts import is_compact, is_half
from ...errstate import silent


def _wide(x: np.ndarray) -> np.ndarray:
    return x.astype(np.float32) if is_half(x) else x


def _sheet(x: np.ndarray, dim: int) -> tuple[np.ndarray, int, tuple[int, ...]]:
    """The elements as a matrix, the axis within a slice, and the shape of one number for each slice."""
    if dim == 0:
        slices = x.shape[0] if x.ndim else 1
        return x.reshape(slices, math.prod(x.shape[1:])), 1, (slices, 1)
    return x.reshape(math.prod(x.shape[:-1]), x.shape[-1]), 0, (1, x.shape[-1])


@silent
def weight_norm(weight: np.ndarray, norms: np.ndarray, v: np.ndarray, g: np.ndarray, dim: int) -> None:
    """weight = v g / |v|, with |v| for each slice."""
    values, within, shape = _sheet(_wide(v), dim)
    lengths, is_direct = np.empty(shape, values.dtype), weight.dtype == values.dtype and is_compact(weight)
    scaled = weight.reshape(values.shape) if is_direct else np.empty(values.shape, values.dtype)
    sums.root_of_squares(lengths, values, (within,))
    norms[...] = lengths.reshape(norms.shape)
    pointwise.mul(scaled, values, _wide(g).reshape(shape) / lengths)
    if not is_direct:
        weight[...] = scaled.reshape(weight.shape)


@silent
def weight_norm_grads(grad_v: np.ndarray, grad_g: np.ndarray, grad: np.ndarray, v: np.ndarray, g: np.ndarray,
                      norms: np.ndarray, dim: int) -> None:
    """Gradients of v, without what would only lengthen it, and of g."""
    values, within, shape = _sheet(_wide(v), dim)
    of_weight = _sheet(_wide(grad), dim)[0]
    lengths, scale = norms.reshape(shape), _wide(g).reshape(shape) / norms.reshape(shape)
    of_length = (of_weight * values).sum(axis=within, keepdims=True) / lengths
    grad_g[...] = of_length.reshape(grad_g.shape)
    grad_v[...] = (scale * of_weight - scale * of_length / lengths * values).reshape(grad_v.shape)
