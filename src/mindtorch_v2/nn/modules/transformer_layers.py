"""The layers of a transformer: attention and two linear maps, each with its sum and its norm."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...api.install import FUNCTIONS
from ...backends import mha
from ...core.tensor import Tensor
from .. import functional as F  # noqa: N812  torch's users know it by this letter
from .activation import GELU, ReLU
from .dropout import Dropout
from .linear import Linear
from .module import Module
from .multihead_attention import MultiheadAttention, reasons_of_tensors
from .normalization import LayerNorm

Activation = str | Callable[[Tensor], Tensor]
OTHER, RELU, GELU_EXACT = 0, 1, 2  # what the fused op knows of an activation


def activation_function(activation: Activation) -> Callable[[Tensor], Tensor]:
    """The function of a name; functions are what they are."""
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    return getattr(F, activation)


def _kind_of(activation: Callable[[Tensor], Tensor]) -> int:
    if activation is F.relu or isinstance(activation, ReLU):
        return RELU
    return GELU_EXACT if activation is F.gelu or isinstance(activation, GELU) else OTHER


class TransformerEncoderLayer(Module):
    """Attention over the sequence itself, then two linear maps."""

    __constants__ = ["norm_first"]

    def __init__(self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1,
                 activation: Activation = F.relu, layer_norm_eps: float = 1e-5, batch_first: bool = False,
                 norm_first: bool = False, bias: bool = True, device=None, dtype=None) -> None:
        super().__init__()
        kind = {"bias": bias, "device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **kind)
        self.linear1 = Linear(d_model, dim_feedforward, **kind)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **kind)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, **kind)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, **kind)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        activation = activation_function(activation)
        self.activation_relu_or_gelu = _kind_of(activation)
        self.activation = activation

    def __setstate__(self, state: dict) -> None:
        super().__setstate__(state)
        if not hasattr(self, "activation"):  # a layer pickled before it could be chosen
            self.activation = F.relu

    def forward(self, src: Tensor, src_mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None,
                is_causal: bool = False) -> Tensor:
        """The sequence, each position changed by what it saw of the others."""
        src_key_padding_mask = F._canonical_mask(src_key_padding_mask, "src_key_padding_mask",
                                                 F._none_or_dtype(src_mask), "src_mask", src.dtype)
        src_mask = F._canonical_mask(src_mask, "src_mask", None, "", src.dtype, check_other=False)
        if not next(self._reasons(src, src_mask, src_key_padding_mask), ""):
            mask, mask_type = self.self_attn.merge_masks(src_mask, src_key_padding_mask, src)
            attention = self.self_attn
            return FUNCTIONS["_transformer_encoder_layer_fwd"](
                src, attention.embed_dim, attention.num_heads, attention.in_proj_weight, attention.in_proj_bias,
                attention.out_proj.weight, attention.out_proj.bias, self.activation_relu_or_gelu == GELU_EXACT,
                self.norm_first, self.norm1.eps, self.norm1.weight, self.norm1.bias, self.norm2.weight,
                self.norm2.bias, self.linear1.weight, self.linear1.bias, self.linear2.weight, self.linear2.bias,
                mask, mask_type)
        x = src
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), src_mask, src_key_padding_mask, is_causal=is_causal)
            return x + self._ff_block(self.norm2(x))
        x = self.norm1(x + self._sa_block(x, src_mask, src_key_padding_mask, is_causal=is_causal))
        return self.norm2(x + self._ff_block(x))

    def _reasons(self, src: Tensor, mask: Tensor | None, padding: Tensor | None) -> Iterator[str]:
        """Why the fused op cannot be taken; nothing if it can."""
        if not mha.get_fastpath_enabled():
            yield "torch.backends.mha.get_fastpath_enabled() was not True"
        if src.dim() != 3:
            yield f"input not batched; expected src.dim() of 3 but got {src.dim()}"
        yield from self.reasons_of_settings()
        if src.is_nested and (padding is not None or mask is not None):
            yield "neither src_key_padding_mask nor src_mask are not supported with NestedTensor input"
        yield from reasons_of_tensors((src, *tensors_of_layer(self)))

    def reasons_of_settings(self) -> Iterator[str]:
        """What in the layer itself keeps it from its fused op."""
        attention = self.self_attn
        if self.training:
            yield "training is enabled"
        if not attention.batch_first:
            yield "self_attn.batch_first was not True"
        if attention.in_proj_bias is None:
            yield "self_attn was passed bias=False"
        if not attention._qkv_same_embed_dim:
            yield "self_attn._qkv_same_embed_dim was not True"
        if not self.activation_relu_or_gelu:
            yield "activation_relu_or_gelu was not True"
        if self.norm1.eps != self.norm2.eps:
            yield "norm1.eps is not equal to norm2.eps"
        if attention.num_heads % 2:
            yield "num_head is odd"
        if any([module._forward_hooks or module._forward_pre_hooks for module in self.modules()]):
            yield "forward pre-/hooks are attached to the module"

    def _sa_block(self, x: Tensor, attn_mask: Tensor | None, key_padding_mask: Tensor | None,
                  is_causal: bool = False) -> Tensor:
        x = self.self_attn(x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False,
                           is_causal=is_causal)[0]
        return self.dropout1(x)

    def _ff_block(self, x: Tensor) -> Tensor:
        x = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return self.dropout2(x)


class TransformerDecoderLayer(Module):
    """Attention over the sequence itself, attention over another, then two linear maps."""

    __constants__ = ["norm_first"]

    def __init__(self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1,
                 activation: Activation = F.relu, layer_norm_eps: float = 1e-5, batch_first: bool = False,
                 norm_first: bool = False, bias: bool = True, device=None, dtype=None) -> None:
        super().__init__()
        kind = {"bias": bias, "device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **kind)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **kind)
        self.linear1 = Linear(d_model, dim_feedforward, **kind)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **kind)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, **kind)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, **kind)
        self.norm3 = LayerNorm(d_model, eps=layer_norm_eps, **kind)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = activation_function(activation)

    def __setstate__(self, state: dict) -> None:
        state.setdefault("activation", F.relu)  # a layer pickled before it could be chosen
        super().__setstate__(state)

    def forward(self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None,
                tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None,
                tgt_is_causal: bool = False, memory_is_causal: bool = False) -> Tensor:
        """The sequence, each position changed by what it saw of the others and of the memory."""
        x = tgt
        own = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        other = (memory, memory_mask, memory_key_padding_mask, memory_is_causal)
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), *own)
            x = x + self._mha_block(self.norm2(x), *other)
            return x + self._ff_block(self.norm3(x))
        x = self.norm1(x + self._sa_block(x, *own))
        x = self.norm2(x + self._mha_block(x, *other))
        return self.norm3(x + self._ff_block(x))

    def _sa_block(self, x: Tensor, attn_mask: Tensor | None, key_padding_mask: Tensor | None,
                  is_causal: bool = False) -> Tensor:
        x = self.self_attn(x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, is_causal=is_causal,
                           need_weights=False)[0]
        return self.dropout1(x)

    def _mha_block(self, x: Tensor, mem: Tensor, attn_mask: Tensor | None, key_padding_mask: Tensor | None,
                   is_causal: bool = False) -> Tensor:
        x = self.multihead_attn(x, mem, mem, attn_mask=attn_mask, key_padding_mask=key_padding_mask,
                                is_causal=is_causal, need_weights=False)[0]
        return self.dropout2(x)

    def _ff_block(self, x: Tensor) -> Tensor:
        x = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return self.dropout3(x)


def tensors_of_layer(layer: TransformerEncoderLayer) -> tuple[Tensor, ...]:
    """The parameters that the fused op is given."""
    attention = layer.self_attn
    return (attention.in_proj_weight, attention.in_proj_bias, attention.out_proj.weight, attention.out_proj.bias,
            layer.norm1.weight, layer.norm1.bias, layer.norm2.weight, layer.norm2.bias, layer.linear1.weight,
            layer.linear1.bias, layer.linear2.weight, layer.linear2.bias)
