"""Transformers: layers one after the other, and an encoder with its decoder."""

from __future__ import annotations

import copy
import math
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from ...api.install import FUNCTIONS
from ...backends import mha
from ...core.tensor import Tensor
from ...dispatch.aten import aten
from .. import functional as F  # noqa: N812  torch's users know it by this letter
from .. import init
from .container import ModuleList
from .module import Module
from .multihead_attention import reasons_of_tensors
from .normalization import LayerNorm
from .transformer_layers import TransformerDecoderLayer, TransformerEncoderLayer, tensors_of_layer
from .transformer_layers import activation_function as _get_activation_fn  # noqa: F401  torch's address

__all__ = ["Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder",
           "TransformerEncoderLayer"]


def _generate_square_subsequent_mask(sz: int, device=None, dtype=None) -> Tensor:
    """A mask under which each position sees those before it and itself."""
    return FUNCTIONS["triu"](FUNCTIONS["full"]((sz, sz), -math.inf, dtype=dtype, device=device), diagonal=1)


def _get_seq_len(src: Tensor, batch_first: bool) -> int | None:
    """The length of the sequences; None where each has its own."""
    if src.is_nested:
        return None
    return src.size(1 if batch_first and src.dim() != 2 else 0)


def _detect_is_causal_mask(mask: Tensor | None, is_causal: bool | None = None, size: int | None = None) -> bool:
    """Whether attention is causal: as it was said, or else as the mask shows."""
    if is_causal is not None or mask is None:
        return is_causal is True
    size = mask.size(-2) if size is None else size
    triangle = _generate_square_subsequent_mask(size, device=mask.device, dtype=mask.dtype)
    return mask.size() == triangle.size() and bool((mask == triangle).all())


def _get_clones(module: Module, count: int) -> ModuleList:
    return ModuleList([copy.deepcopy(module) for _ in range(count)])


class Transformer(Module):
    """An encoder of one sequence, and a decoder that reads it while it makes another."""

    def __init__(self, d_model: int = 512, nhead: int = 8, num_encoder_layers: int = 6, num_decoder_layers: int = 6,
                 dim_feedforward: int = 2048, dropout: float = 0.1,
                 activation: str | Callable[[Tensor], Tensor] = F.relu, custom_encoder: Any | None = None,
                 custom_decoder: Any | None = None, layer_norm_eps: float = 1e-5, batch_first: bool = False,
                 norm_first: bool = False, bias: bool = True, device=None, dtype=None) -> None:
        super().__init__()
        kind = {"bias": bias, "device": device, "dtype": dtype}
        layer = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first)
        if custom_encoder is None:
            encoder_layer = TransformerEncoderLayer(*layer, **kind)
            custom_encoder = TransformerEncoder(encoder_layer, num_encoder_layers,
                                                LayerNorm(d_model, eps=layer_norm_eps, **kind))
        self.encoder = custom_encoder
        if custom_decoder is None:
            decoder_layer = TransformerDecoderLayer(*layer, **kind)
            custom_decoder = TransformerDecoder(decoder_layer, num_decoder_layers,
                                                LayerNorm(d_model, eps=layer_norm_eps, **kind))
        self.decoder = custom_decoder
        self._reset_parameters()
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def forward(self, src: Tensor, tgt: Tensor, src_mask: Tensor | None = None, tgt_mask: Tensor | None = None,
                memory_mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None,
                tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None,
                src_is_causal: bool | None = None, tgt_is_causal: bool | None = None,
                memory_is_causal: bool = False) -> Tensor:
        """What the decoder makes of ``tgt``, having read what the encoder made of ``src``."""
        batch_dim = 0 if self.batch_first else 1
        if src.size(batch_dim) != tgt.size(batch_dim) and src.dim() == 3:
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal)
        return self.decoder(tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask,
                            tgt_key_padding_mask=tgt_key_padding_mask,
                            memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=tgt_is_causal,
                            memory_is_causal=memory_is_causal)

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device=None, dtype=None) -> Tensor:
        """A mask under which each position sees those before it and itself: minus infinity above the diagonal."""
        return _generate_square_subsequent_mask(sz, device=device, dtype=dtype)

    def _reset_parameters(self) -> None:
        for parameter in self.parameters():
            if parameter.dim() > 1:
                init.xavier_uniform_(parameter)


class TransformerEncoder(Module):
    """Encoder layers one after the other; sequences with padding go through fused ops without it."""

    __constants__ = ["norm"]

    def __init__(self, encoder_layer: TransformerEncoderLayer, num_layers: int, norm: Module | None = None,
                 enable_nested_tensor: bool = True, mask_check: bool = True) -> None:
        super().__init__()
        self.layers = _get_clones(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm
        self.enable_nested_tensor = enable_nested_tensor
        self.use_nested_tensor = enable_nested_tensor
        self.mask_check = mask_check
        why_not = next(_reasons_against_nesting(encoder_layer), "")
        if enable_nested_tensor and why_not:
            warnings.warn("enable_nested_tensor is True, but self.use_nested_tensor is False because "
                          f"encoder_layer{why_not}", stacklevel=2)
            self.use_nested_tensor = False

    def forward(self, src: Tensor, mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None,
                is_causal: bool | None = None) -> Tensor:
        """The sequences after all layers; zeros at padding where it was left out."""
        src_key_padding_mask = F._canonical_mask(src_key_padding_mask, "src_key_padding_mask", F._none_or_dtype(mask),
                                                 "mask", src.dtype)
        mask = F._canonical_mask(mask, "mask", None, "", src.dtype, check_other=False)
        output = src
        padding = src_key_padding_mask
        leaves_out = self._leaves_out_padding(src, mask, src_key_padding_mask)
        is_nested = leaves_out and all([_is_fused(layer) for layer in self.layers])
        if is_nested:
            output = aten._nested_tensor_from_mask(output, src_key_padding_mask.logical_not(), False)
            padding = None
        length = _get_seq_len(src, self.layers[0].self_attn.batch_first)
        is_causal = _detect_is_causal_mask(mask, is_causal, length)
        for layer in self.layers:
            output = layer(output, src_mask=mask, is_causal=is_causal, src_key_padding_mask=padding)
        if is_nested:
            output = aten.to_padded_tensor(output, 0.0, tuple(src.size()))
        elif leaves_out:
            output = output.masked_fill(src_key_padding_mask.logical_not().logical_not().unsqueeze(-1), 0.0)
        return output if self.norm is None else self.norm(output)

    def _leaves_out_padding(self, src: Tensor, mask: Tensor | None, padding: Tensor | None) -> bool:
        """Whether padding can be left out: nothing is trained, and each sequence ends before its padding."""
        first = self.layers[0]
        if not (mha.get_fastpath_enabled() and getattr(self, "use_nested_tensor", False) and not first.training
                and src.dim() == 3 and padding is not None):
            return False
        if getattr(self, "mask_check", True) and \
                not aten._nested_tensor_from_mask_left_aligned(src, padding.logical_not()):
            return False
        return not src.is_nested and mask is None and \
            not next(reasons_of_tensors((src, *tensors_of_layer(first))), "")


def _is_fused(layer: Module) -> bool:
    """Whether a layer is sure to take its fused op; others do not know nested tensors here."""
    return type(layer).forward is TransformerEncoderLayer.forward and not next(layer.reasons_of_settings(), "")


def _reasons_against_nesting(layer: Module) -> Iterator[str]:
    """Why padding cannot be left out before a layer, in torch's words."""
    if not isinstance(layer, TransformerEncoderLayer):
        yield " was not TransformerEncoderLayer"
        return
    attention = layer.self_attn
    if layer.norm_first:
        yield ".norm_first was True"
    if not attention.batch_first:
        yield ".self_attn.batch_first was not True(use batch_first for better inference performance)"
    if not attention._qkv_same_embed_dim:
        yield ".self_attn._qkv_same_embed_dim was not True"
    if attention.in_proj_bias is None:
        yield ".self_attn was passed bias=False"
    if not layer.activation_relu_or_gelu:
        yield ".activation_relu_or_gelu was not True"
    if layer.norm1.eps != layer.norm2.eps:
        yield ".norm1.eps was not equal to encoder_layer.norm2.eps"
    if attention.num_heads % 2:
        yield ".self_attn.num_heads is odd"


class TransformerDecoder(Module):
    """Decoder layers one after the other."""

    __constants__ = ["norm"]

    def __init__(self, decoder_layer: TransformerDecoderLayer, num_layers: int, norm: Module | None = None) -> None:
        super().__init__()
        self.layers = _get_clones(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None,
                tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None,
                tgt_is_causal: bool | None = None, memory_is_causal: bool = False) -> Tensor:
        """The sequences after all layers."""
        output = tgt
        length = _get_seq_len(tgt, self.layers[0].self_attn.batch_first)
        tgt_is_causal = _detect_is_causal_mask(tgt_mask, tgt_is_causal, length)
        for layer in self.layers:
            output = layer(output, memory, tgt_mask=tgt_mask, memory_mask=memory_mask,
                           tgt_key_padding_mask=tgt_key_padding_mask,
                           memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=tgt_is_causal,
                           memory_is_causal=memory_is_causal)
        return output if self.norm is None else self.norm(output)
