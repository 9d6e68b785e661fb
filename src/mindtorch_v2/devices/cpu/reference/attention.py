"""Scaled dot product attention over (B, H, L, E) arrays of any strides."""
from __future__ import annotations

import numpy as np

from ..half_precision import halves_in_float32

Array = np.ndarray


def _for_each_query_head(x: Array, heads: int) -> Array:
    """Heads of keys and values that several heads of queries share, repeated for each."""
    if x.shape[1] == 0 or heads % x.shape[1]:
        raise ValueError(f"attention: {heads} heads of queries cannot share {x.shape[1]} of keys and values")
    return np.repeat(x, heads // x.shape[1], axis=1)


def _scores(q: Array, k: Array, mask: Array | None, is_causal: bool, scale: float) -> Array:
    scores = (q @ k.swapaxes(-1, -2)) * q.dtype.type(scale)
    if mask is not None:
        # True in a boolean mask means: look here
        scores = scores + (np.where(mask, 0, -np.inf) if mask.dtype == bool else mask).astype(q.dtype, copy=False)
    if is_causal:
        # torch's triangle starts at the upper left, whatever the two lengths
        scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf).astype(q.dtype)
    return scores


@halves_in_float32(outs=2)
def attention(out: Array, logsumexp: Array, q: Array, k: Array, v: Array, mask: Array | None, is_causal: bool,
              scale: float) -> None:
    """softmax(scale q k' + mask) v, and the logarithm of each softmax's sum."""
    k, v = (_for_each_query_head(x, q.shape[1]) for x in (k, v))
    scores = _scores(q, k, mask, is_causal, scale)
    top = scores.max(axis=-1, keepdims=True, initial=-np.inf)
    # a query with no key left gives 0, and a logarithm of 0, as in torch
    lost = top == -np.inf
    with np.errstate(invalid="ignore", divide="ignore"):
        e = np.where(lost, 0, np.exp(scores - top)).astype(q.dtype)
        total = e.sum(axis=-1, keepdims=True)
        out[...] = np.where(lost, 0, e / total).astype(q.dtype) @ v
        logsumexp[...] = np.where(lost, 0, top + np.log(total))[..., 0]


@halves_in_float32(outs=3)
def attention_backward(gq: Array, gk: Array, gv: Array, grad_out: Array, q: Array, k: Array, v: Array, out: Array,
                       logsumexp: Array, mask: Array | None, is_causal: bool, scale: float) -> None:
    """Gradients of attention for q, k and v, which are written."""
    shared = (k.shape[0], k.shape[1], -1) if k.size else None
    k, v = (_for_each_query_head(x, q.shape[1]) for x in (k, v))
    p = np.exp(_scores(q, k, mask, is_causal, scale) - logsumexp.astype(q.dtype, copy=False)[..., None])
    delta = (grad_out * out).sum(axis=-1, keepdims=True)
    slope = p * (grad_out @ v.swapaxes(-1, -2) - delta) * q.dtype.type(scale)
    gq[...] = slope @ k
    for given, value in ((gk, slope.swapaxes(-1, -2) @ q), (gv, p.swapaxes(-1, -2) @ grad_out)):
        given[...] = value.reshape(*shared, *value.shape[2:]).sum(axis=2) if shared else value
