"""A layer of an encoder as one op, which runs where nothing is trained."""

from __future__ import annotations

from ...core.tensor import numel_of, shape_of
from ...dispatch.aten import aten
from ...opdef.form import Op
from ..nested.tensors import NestedTensor
from ..shared.not_differentiable import UNKNOWN, unknown
from . import nested


class TransformerEncoderLayerFwd(Op):
    """A layer of an encoder: attention and two linear maps, each with its sum and its norm."""

    schema = ("_transformer_encoder_layer_fwd(Tensor src, int embed_dim, int num_heads, Tensor qkv_weight, "
              "Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, bool norm_first, float eps, "
              "Tensor norm_weight_1, Tensor norm_bias_1, Tensor norm_weight_2, Tensor norm_bias_2, "
              "Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor ffn_weight_2, Tensor ffn_bias_2, Tensor? mask=None, "
              "int? mask_type=None) -> Tensor")
    node = UNKNOWN
    grads = unknown("_transformer_encoder_layer_fwd")

    def body(src, embed_dim, num_heads, qkv_weight, qkv_bias, proj_weight, proj_bias, use_gelu, norm_first, eps,
             norm_weight_1, norm_bias_1, norm_weight_2, norm_bias_2, ffn_weight_1, ffn_bias_1, ffn_weight_2,
             ffn_bias_2, mask, mask_type):
        if not numel_of(src):
            return src if isinstance(src, NestedTensor) else aten.clone(src)
        norms = ((embed_dim, norm_weight_1, norm_bias_1, eps), (embed_dim, norm_weight_2, norm_bias_2, eps))
        x = _normed(src, *norms[0]) if norm_first else src
        x = aten._native_multi_head_attention(x, x, x, embed_dim, num_heads, qkv_weight, qkv_bias, proj_weight,
                                              proj_bias, mask, False, True, mask_type)[0]
        x = _added(x, src)
        if not norm_first:
            x = _normed(x, *norms[0])
        before = x
        if norm_first:
            x = _normed(x, *norms[1])
        x = _linear(x, ffn_weight_1, ffn_bias_1, use_gelu)
        x = _linear(x, ffn_weight_2, ffn_bias_2)
        x = _added(x, before)
        return x if norm_first else _normed(x, *norms[1])


def _normed(x, width: int, weight, bias, eps: float):
    if isinstance(x, NestedTensor):
        return nested.layer_norm(x, (width,), weight, bias, eps)
    return aten.layer_norm(x, (width,), weight, bias, eps, True)


def _added(x, other):
    return nested.add_(x, other) if isinstance(x, NestedTensor) else aten.add_(x, other)


def _linear(x, weight, bias, use_gelu: bool | None = None):
    """A linear map, and the activation behind it if there is one."""
    if isinstance(x, NestedTensor):
        return nested.linear(x, aten.t(weight), bias, use_gelu)
    batch, length, width = shape_of(x)
    rows = aten.view(x, (batch * length, width))
    if use_gelu is None:
        product = aten.addmm(bias, rows, aten.t(weight))
    else:
        product = aten._addmm_activation(bias, rows, aten.t(weight), use_gelu=use_gelu)
    return aten.view(product, (batch, length, shape_of(product)[1]))
