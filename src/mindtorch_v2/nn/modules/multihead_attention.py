"""MultiheadAttention; torch has it among the activations."""

from __future__ import annotations

from collections.abc import Iterator

from ...api.install import FUNCTIONS
from ...backends import mha
from ...core.device import _get_privateuse1_backend_name, device
from ...core.modes import is_grad_enabled
from ...core.overrides import asked
from ...core.tensor import Tensor
from ...ops.python.queries import is_floating_point
from .. import functional as F  # noqa: N812  torch's users know it by this letter
from .. import init
from ..parameter import Parameter, empty
from .linear import NonDynamicallyQuantizableLinear
from .module import Module

PADDING, FULL = 1, 2  # kinds of masks: of keys, and of every head of every sequence


class MultiheadAttention(Module):
    """Attention of several heads, each over a part of the features."""

    __constants__ = ["batch_first"]
    bias_k: Tensor | None
    bias_v: Tensor | None

    def __init__(self, embed_dim: int, num_heads: int, dropout: float = 0.0, bias: bool = True,
                 add_bias_kv: bool = False, add_zero_attn: bool = False, kdim: int | None = None,
                 vdim: int | None = None, batch_first: bool = False, device=None, dtype=None) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and "
                             f"num_heads={num_heads} instead")
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim == self.vdim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self._add_projections(bias, device, dtype)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, device=device, dtype=dtype)
        if add_bias_kv:
            self.bias_k = Parameter(empty((1, 1, embed_dim), device=device, dtype=dtype))
            self.bias_v = Parameter(empty((1, 1, embed_dim), device=device, dtype=dtype))
        else:
            self.bias_k = self.bias_v = None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _add_projections(self, bias: bool, device, dtype) -> None:
        """One weight for query, key and value where their widths agree, else one for each."""
        width, together = self.embed_dim, self._qkv_same_embed_dim
        apart = {"q_proj_weight": (width, width), "k_proj_weight": (width, self.kdim),
                 "v_proj_weight": (width, self.vdim)}
        shapes = {"in_proj_weight": (3 * width, width)} if together else apart
        for name, shape in shapes.items():
            setattr(self, name, Parameter(empty(shape, device=device, dtype=dtype)))
        for name in apart if together else ("in_proj_weight",):
            self.register_parameter(name, None)
        if bias:
            self.in_proj_bias = Parameter(empty((3 * width,), device=device, dtype=dtype))
        else:
            self.register_parameter("in_proj_bias", None)

    def _reset_parameters(self) -> None:
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            init.constant_(self.in_proj_bias, 0.0)
            init.constant_(self.out_proj.bias, 0.0)
        for bias in (self.bias_k, self.bias_v):
            if bias is not None:
                init.xavier_normal_(bias)

    def __setstate__(self, state: dict) -> None:
        state.setdefault("_qkv_same_embed_dim", True)  # modules pickled before weights could be apart
        super().__setstate__(state)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Tensor | None = None,
                need_weights: bool = True, attn_mask: Tensor | None = None, average_attn_weights: bool = True,
                is_causal: bool = False) -> tuple[Tensor, Tensor | None]:
        """The attention of queries over keys, and its weights if they are wanted."""
        has_float_mask = any([m is not None and is_floating_point(m) for m in (attn_mask, key_padding_mask)])
        is_batched = query.dim() == 3
        key_padding_mask = F._canonical_mask(key_padding_mask, "key_padding_mask", F._none_or_dtype(attn_mask),
                                             "attn_mask", query.dtype)
        attn_mask = F._canonical_mask(attn_mask, "attn_mask", None, "", query.dtype, check_other=False)
        why_slow = next(self._reasons(query, key, value, has_float_mask, attn_mask, key_padding_mask), "")
        if not why_slow:
            merged_mask, mask_type = self.merge_masks(attn_mask, key_padding_mask, query)
            if self.in_proj_bias is not None:
                return FUNCTIONS["_native_multi_head_attention"](
                    query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias,
                    self.out_proj.weight, self.out_proj.bias, merged_mask, need_weights, average_attn_weights,
                    mask_type)
        if query.is_nested or key.is_nested or value.is_nested:
            raise AssertionError("MultiheadAttention does not support NestedTensor outside of its fast path. The fast "
                                 f"path was not hit because {why_slow}")
        turns = self.batch_first and is_batched
        if turns:
            query, key, value = _turned(query, key, value)
        apart = {} if self._qkv_same_embed_dim else {
            "use_separate_proj_weight": True, "q_proj_weight": self.q_proj_weight,
            "k_proj_weight": self.k_proj_weight, "v_proj_weight": self.v_proj_weight}
        output, weights = F.multi_head_attention_forward(
            query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias, self.bias_k,
            self.bias_v, self.add_zero_attn, self.dropout, self.out_proj.weight, self.out_proj.bias,
            training=self.training, key_padding_mask=key_padding_mask, need_weights=need_weights, attn_mask=attn_mask,
            average_attn_weights=average_attn_weights, is_causal=is_causal, **apart)
        return output.transpose(1, 0) if turns else output, weights

    def _reasons(self, query: Tensor, key: Tensor, value: Tensor, has_float_mask: bool, attn_mask: Tensor | None,
                 key_padding_mask: Tensor | None) -> Iterator[str]:
        """Why the fused op cannot be taken, in torch's order and words; nothing if it can."""
        weight, bias = self.in_proj_weight, self.in_proj_bias
        if not mha.get_fastpath_enabled():
            yield "torch.backends.mha.get_fastpath_enabled() was not True"
        if query.dim() != 3:
            yield f"input not batched; expected query.dim() of 3 but got {query.dim()}"
        if query is not key or key is not value:
            yield "non-self attention was used (query, key, and value are not the same Tensor)"
        if bias is not None and query.dtype is not bias.dtype:
            yield f"dtypes of query ({query.dtype}) and self.in_proj_bias ({bias.dtype}) don't match"
        if weight is None:
            yield "in_proj_weight was None"
        if query.dtype is not weight.dtype:
            yield f"dtypes of query ({query.dtype}) and self.in_proj_weight ({weight.dtype}) don't match"
        if self.training:
            yield "training is enabled"
        if self.num_heads % 2:
            yield "self.num_heads is not even"
        if not self.batch_first:
            yield "batch_first was not True"
        if self.bias_k is not None:
            yield "self.bias_k was not None"
        if self.bias_v is not None:
            yield "self.bias_v was not None"
        if self.add_zero_attn:
            yield "add_zero_attn was enabled"
        if not self._qkv_same_embed_dim:
            yield "_qkv_same_embed_dim was not True"
        if query.is_nested and (key_padding_mask is not None or attn_mask is not None):
            yield ("supplying both src_key_padding_mask and src_mask at the same time                                  "
                   "is not supported with NestedTensor input")
        if has_float_mask:
            yield "floating-point masks are not supported for fast path."
        yield from reasons_of_tensors((query, weight, bias, self.out_proj.weight, self.out_proj.bias))

    def merge_masks(self, attn_mask: Tensor | None, key_padding_mask: Tensor | None,
                    query: Tensor) -> tuple[Tensor | None, int | None]:
        """Both masks in one, and which kind it is: None, 1 for a mask of keys, 2 for (batch, heads, length, length)."""
        if attn_mask is None:
            return key_padding_mask, None if key_padding_mask is None else PADDING
        batch, length, _ = query.shape
        if attn_mask.dim() == 3:
            merged = attn_mask.view(batch, -1, length, length)
        else:
            merged = attn_mask.view(1, 1, length, length).expand(batch, self.num_heads, -1, -1)
        if key_padding_mask is not None:
            merged = merged + key_padding_mask.view(batch, 1, 1, length).expand(-1, self.num_heads, -1, -1)
        return merged, FULL


def reasons_of_tensors(tensors: tuple[Tensor | None, ...]) -> Iterator[str]:
    """Why tensors keep attention from its fused ops: somebody is to be asked, another device, gradients."""
    if asked(*tensors):
        yield "some Tensor argument has_torch_function"
    if not all([t is None or _can_be_fast(t.device) for t in tensors]):
        yield f"some Tensor argument's device is neither one of cpu, cuda or {_get_privateuse1_backend_name()}"
    if is_grad_enabled() and any([t is not None and t.requires_grad for t in tensors]):
        yield ("grad is enabled and at least one of query or the input/output projection weights or biases "
               "requires_grad")


def _can_be_fast(place: device) -> bool:
    return place.type in ("cpu", "cuda", _get_privateuse1_backend_name())


def _turned(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Positions before sequences; what is one tensor stays one."""
    if key is not value:
        return query.transpose(1, 0), key.transpose(1, 0), value.transpose(1, 0)
    if query is key:
        turned = query.transpose(1, 0)
        return turned, turned, turned
    query, key = query.transpose(1, 0), key.transpose(1, 0)
    return query, key, key
