"""Attention of several heads: projections in, attention, projection out."""

from __future__ import annotations

import math

from ...core.overrides import asked, overridden
from ...core.tensor import Tensor
from ...dispatch.aten import aten
from .activation import softmax
from .attention_masks import _check_key_padding_mask, _mha_shape_check, full_mask, masks_to_add
from .dropout import dropout
from .layers import pad


def multi_head_attention_forward(
        query: Tensor, key: Tensor, value: Tensor, embed_dim_to_check: int, num_heads: int,
        in_proj_weight: Tensor | None, in_proj_bias: Tensor | None, bias_k: Tensor | None, bias_v: Tensor | None,
        add_zero_attn: bool, dropout_p: float, out_proj_weight: Tensor, out_proj_bias: Tensor | None,
        training: bool = True, key_padding_mask: Tensor | None = None, need_weights: bool = True,
        attn_mask: Tensor | None = None, use_separate_proj_weight: bool = False, q_proj_weight: Tensor | None = None,
        k_proj_weight: Tensor | None = None, v_proj_weight: Tensor | None = None, static_k: Tensor | None = None,
        static_v: Tensor | None = None, average_attn_weights: bool = True,
        is_causal: bool = False) -> tuple[Tensor, Tensor | None]:
    """Attention of ``num_heads`` heads over (length, batch, width), and the weights it gave."""
    if asked(query, key, value, in_proj_weight, in_proj_bias, bias_k, bias_v, out_proj_weight, out_proj_bias):
        return overridden(multi_head_attention_forward, locals())
    is_batched = _mha_shape_check(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not is_batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    length, batch, width = query.shape
    keys = key.shape[0]
    attn_mask, key_padding_mask, is_causal = masks_to_add(attn_mask, key_padding_mask, query.dtype, is_causal,
                                                          need_weights)
    head_width = _head_width(width, embed_dim_to_check, num_heads)
    if use_separate_proj_weight:
        projected = _projected_apart(query, key, value, (q_proj_weight, k_proj_weight, v_proj_weight), in_proj_bias)
    else:
        projected = _projected_together(query, key, value, in_proj_weight, in_proj_bias)
    heads = batch * num_heads
    if attn_mask is not None:
        attn_mask = full_mask(attn_mask, (length, keys), heads)
    masks = [attn_mask, key_padding_mask]
    if _has_biases(bias_k, bias_v, static_k, static_v):
        projected[1] = aten.cat([projected[1], bias_k.repeat(1, batch, 1)])
        projected[2] = aten.cat([projected[2], bias_v.repeat(1, batch, 1)])
        masks = _one_key_more(masks)
    projected[0] = projected[0].view(length, heads, head_width).transpose(0, 1)
    for at, name, static in ((1, "static_k", static_k), (2, "static_v", static_v)):
        projected[at] = _by_head(projected[at], heads, head_width) if static is None else \
            _checked(static, name, heads, head_width)
    if add_zero_attn:
        for at in (1, 2):
            nothing = aten.zeros((heads, 1, head_width), dtype=projected[at].dtype, device=projected[at].device)
            projected[at] = aten.cat([projected[at], nothing], 1)
        masks = _one_key_more(masks)
    keys = projected[1].size(1)
    attn_mask, key_padding_mask = _merged(*masks, batch, num_heads, keys)
    if not training:
        dropout_p = 0.0
    sizes = (batch, num_heads, length, keys, head_width)
    out_proj = (out_proj_weight, out_proj_bias)
    if not need_weights:
        output = _fused(projected, attn_mask, sizes, dropout_p, is_causal, out_proj)
        return output if is_batched else output.squeeze(1), None
    output, weights = _with_weights(projected, attn_mask, sizes, dropout_p, out_proj)
    if average_attn_weights:
        weights = weights.mean(dim=1)
    return (output, weights) if is_batched else (output.squeeze(1), weights.squeeze(0))


def _head_width(width: int, expected: int, num_heads: int) -> int:
    if width != expected:
        raise AssertionError(f"was expecting embedding dimension of {expected}, but got {width}")
    if width // num_heads * num_heads != width:
        raise AssertionError(f"embed_dim {width} not divisible by num_heads {num_heads}")
    return width // num_heads


def _projected_apart(query: Tensor, key: Tensor, value: Tensor, weights: tuple, bias: Tensor | None) -> list[Tensor]:
    """Query, key and value, each by a weight of its own."""
    if key.shape[:2] != value.shape[:2]:
        raise AssertionError(f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}")
    for name, weight in zip("qkv", weights):
        if weight is None:
            raise AssertionError(f"use_separate_proj_weight is True but {name}_proj_weight is None")
    biases = (None,) * 3 if bias is None else bias.chunk(3)
    return list(_in_projection(query, key, value, *weights, *biases))


def _in_projection(q: Tensor, k: Tensor, v: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, b_q: Tensor | None = None,
                   b_k: Tensor | None = None, b_v: Tensor | None = None) -> tuple[Tensor, Tensor, Tensor]:
    width = q.size(-1)
    for name, weight, given in (("query", w_q, q), ("key", w_k, k), ("value", w_v, v)):
        expected = (width, given.size(-1))
        if weight.shape != expected:
            raise AssertionError(f"expecting {name} weights shape of {expected}, but got {weight.shape}")
    for name, bias in (("query", b_q), ("key", b_k), ("value", b_v)):
        if bias is not None and bias.shape != (width,):
            raise AssertionError(f"expecting {name} bias shape of {(width,)}, but got {bias.shape}")
    return aten.linear(q, w_q, b_q), aten.linear(k, w_k, b_k), aten.linear(v, w_v, b_v)


def _projected_together(query: Tensor, key: Tensor, value: Tensor, weight: Tensor | None,
                        bias: Tensor | None) -> list[Tensor]:
    """Query, key and value by thirds of one weight."""
    if key.shape != value.shape:
        raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")
    if weight is None:
        raise AssertionError("use_separate_proj_weight is False but in_proj_weight is None")
    return list(_in_projection_packed(query, key, value, weight, bias))


def _in_projection_packed(q: Tensor, k: Tensor, v: Tensor, w: Tensor, b: Tensor | None = None) -> list[Tensor]:
    """The same; inputs that are one tensor are projected at once."""
    width = q.size(-1)
    if k is v and q is k:
        return _parts(aten.linear(q, w, b), 3, width)
    if k is v:
        sizes = [width, width * 2]
        w_q, w_kv = w.split(sizes)
        b_q, b_kv = (None, None) if b is None else b.split(sizes)
        q_projected = aten.linear(q, w_q, b_q)
        return [q_projected, *_parts(aten.linear(k, w_kv, b_kv), 2, width)]
    weights = w.chunk(3)
    biases = (None,) * 3 if b is None else b.chunk(3)
    return [aten.linear(x, weight, bias) for x, weight, bias in zip((q, k, v), weights, biases)]


def _parts(projected: Tensor, count: int, width: int) -> list[Tensor]:
    """Projections that came out side by side, one behind the other."""
    projected = projected.unflatten(-1, (count, width)).unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()
    return [projected[part] for part in range(count)]


def _has_biases(bias_k: Tensor | None, bias_v: Tensor | None, static_k: Tensor | None, static_v: Tensor | None) -> bool:
    """Whether a learnt key and value are added; they come together, and not to given ones."""
    if bias_k is None and bias_v is None:
        return False
    if bias_v is None:
        raise AssertionError("bias_k is set but bias_v is None")
    if bias_k is None:
        raise AssertionError("bias_v is set but bias_k is None")
    if static_k is not None:
        raise AssertionError("bias cannot be added to static key.")
    if static_v is not None:
        raise AssertionError("bias cannot be added to static value.")
    return True


def _one_key_more(masks: list[Tensor | None]) -> list[Tensor | None]:
    return [None if mask is None else pad(mask, (0, 1)) for mask in masks]


def _by_head(projected: Tensor, heads: int, head_width: int) -> Tensor:
    return projected.view(projected.shape[0], heads, head_width).transpose(0, 1)


def _checked(static: Tensor, name: str, heads: int, head_width: int) -> Tensor:
    """Keys or values that were given as they are to be used."""
    for dim, expected in ((0, heads), (2, head_width)):
        if static.size(dim) != expected:
            raise AssertionError(f"expecting {name}.size({dim}) of {expected}, but got {static.size(dim)}")
    return static


def _merged(attn_mask: Tensor | None, padding: Tensor | None, batch: int, num_heads: int,
            keys: int) -> tuple[Tensor | None, Tensor | None]:
    """Both masks in one, and the padding in its shape, which lives as long."""
    if padding is None:
        return attn_mask, None
    _check_key_padding_mask(padding, keys, batch)
    padding = padding.view(batch, 1, 1, keys).expand(-1, num_heads, -1, -1).reshape(batch * num_heads, 1, keys)
    return padding if attn_mask is None else attn_mask + padding, padding


def _with_weights(projected: list[Tensor], mask: Tensor | None, sizes: tuple, dropout_p: float,
                  out_proj: tuple) -> tuple[Tensor, Tensor]:
    """Attention written in ops, and its weights; the list is emptied, so that what was read can go."""
    batch, num_heads, length, keys, head_width = sizes
    q, k, v = projected
    projected.clear()
    q = q * math.sqrt(1.0 / float(head_width))
    if mask is not None:
        weights = aten.baddbmm(mask, q, k.transpose(-2, -1))
    else:
        weights = aten.bmm(q, k.transpose(-2, -1))
    del q, k
    weights = softmax(weights, dim=-1)
    if dropout_p > 0.0:
        weights = dropout(weights, p=dropout_p)
    output = aten.bmm(weights, v)
    del v
    output = output.transpose(0, 1).reshape(length * batch, num_heads * head_width)
    output = aten.linear(output, *out_proj)
    output = output.view(length, batch, output.size(1))
    return output, weights.view(batch, num_heads, length, keys)


def _fused(projected: list[Tensor], mask: Tensor | None, sizes: tuple, dropout_p: float, is_causal: bool,
           out_proj: tuple) -> Tensor:
    """scaled_dot_product_attention, projected; the list is emptied, so that what was read can go."""
    batch, num_heads, length, keys, head_width = sizes
    if mask is not None:
        is_for_all = mask.size(0) == 1 and mask.dim() == 3
        mask = mask.unsqueeze(0) if is_for_all else mask.view(batch, num_heads, -1, keys)
    q, k, v = projected
    projected.clear()
    q = q.view(batch, num_heads, length, head_width)
    k = k.view(batch, num_heads, keys, head_width)
    v = v.view(batch, num_heads, keys, head_width)
    output = aten.scaled_dot_product_attention(q, k, v, mask, dropout_p, is_causal)
    del q, k, v
    output = output.permute(2, 0, 1, 3).reshape(batch * length, num_heads * head_width)
    output = aten.linear(output, *out_proj)
    return output.view(length, batch, output.size(1))
