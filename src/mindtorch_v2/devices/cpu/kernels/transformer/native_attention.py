"""What the fused attention layers compute beside their products."""

from __future__ import annotations

import numpy as np

from ...errstate import silent
from ...half_precision import halves_in_float32


@silent
@halves_in_float32(outs=1)
def transform_bias_rescale_qkv(out: np.ndarray, qkv: np.ndarray, bias: np.ndarray) -> None:
    """Queries, keys and values that lie side by side, biased, by heads: (3, batch, heads, length, width)."""
    parts, batch, heads, length, width = out.shape
    by_head = (qkv + bias).reshape(batch, length, parts, heads, width)
    np.copyto(out, by_head.transpose(2, 0, 3, 1, 4))
    out[0] *= out.dtype.type(1) / np.sqrt(out.dtype.type(width))


@silent
@halves_in_float32(outs=1)
def masked_softmax(out: np.ndarray, x: np.ndarray, mask: np.ndarray, mask_shape: tuple[int, ...], dim: int) -> None:
    """softmax over what a mask leaves, which is true where nothing is to be seen; NaN where it leaves nothing."""
    mask = mask.reshape(mask_shape)
    seen = np.where(mask, x.dtype.type(-np.inf), x)
    np.copyto(out, np.exp(seen - seen.max(axis=dim, keepdims=True, initial=-np.inf)))
    out /= out.sum(axis=dim, keepdims=True)
    out[np.broadcast_to(mask, out.shape) & ~np.isnan(out)] = 0


@silent
@halves_in_float32(outs=1)
def masked_softmax_backward(grad_input: np.ndarray, grad: np.ndarray, y: np.ndarray, mask: np.ndarray,
                            dim: int) -> None:
    """Derivative of masked_softmax, from its result; zero where the mask is true."""
    product = np.where(mask, y.dtype.type(0), grad * y)
    np.copyto(grad_input, np.where(mask, y.dtype.type(0), product - y * product.sum(axis=dim, keepdims=True)))
