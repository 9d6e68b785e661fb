"""Masks of attention: in one form, and checked against the tensors they belong to."""

from __future__ import annotations

import math
import warnings

from ...api.install import FUNCTIONS
from ...core.dtype import FLOATING, DType, bool_
from ...core.tensor import Tensor

# What is said of inputs with a batch and without: dimensions of the query in words and numbers, those of the padding.
_KINDS = {3: ("batched", 2), 2: ("unbatched", 1)}
_MASK_DIMS = (2, 3)


def _canonical_mask(mask: Tensor | None, mask_name: str, other_type: DType | None, other_name: str,
                    target_type: DType, check_other: bool = True) -> Tensor | None:
    """A mask as what is added to the scores: minus infinity where a boolean one is true."""
    if mask is None:
        return None
    is_float = mask.dtype.category == FLOATING
    if not is_float and mask.dtype is not bool_:
        raise AssertionError(f"only bool and floating types of {mask_name} are supported")
    if check_other and other_type is not None and mask.dtype is not other_type:
        warnings.warn(f"Support for mismatched {mask_name} and {other_name} is deprecated. Use same type for both "
                      "instead.", stacklevel=2)
    if is_float:
        return mask
    return FUNCTIONS["zeros_like"](mask, dtype=target_type).masked_fill_(mask, -math.inf)


def _none_or_dtype(input: Tensor | None) -> DType | None:
    """A tensor's type; None for None."""
    if input is None or isinstance(input, Tensor):
        return None if input is None else input.dtype
    raise RuntimeError("input to _none_or_dtype() must be None or torch.Tensor")


def _mha_shape_check(query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Tensor | None,
                     attn_mask: Tensor | None, num_heads: int) -> bool:
    """Whether there is a batch; complain of inputs whose dimensions do not go together."""
    dims = query.dim()
    if dims not in _KINDS:
        raise AssertionError(f"query should be unbatched 2D or batched 3D tensor but received {dims}-D query tensor")
    kind, padding_dims = _KINDS[dims]
    wanted = f"For {kind} ({dims}-D) `query`, expected"
    if key.dim() != dims or value.dim() != dims:
        raise AssertionError(f"{wanted} `key` and `value` to be {dims}-D but found {key.dim()}-D and {value.dim()}-D "
                             "tensors respectively")
    if key_padding_mask is not None and key_padding_mask.dim() != padding_dims:
        raise AssertionError(f"{wanted} `key_padding_mask` to be `None` or {padding_dims}-D but found "
                             f"{key_padding_mask.dim()}-D tensor instead")
    if attn_mask is None:
        return dims == 3
    if attn_mask.dim() not in _MASK_DIMS:
        raise AssertionError(f"{wanted} `attn_mask` to be `None`, 2-D or 3-D but found {attn_mask.dim()}-D tensor "
                             "instead")
    if dims == 2 and attn_mask.dim() == 3:
        expected = (num_heads, query.shape[0], key.shape[0])
        if attn_mask.shape != expected:
            raise AssertionError(f"Expected `attn_mask` shape to be {expected} but got {attn_mask.shape}")
    return dims == 3


def _check_key_padding_mask(key_padding_mask: Tensor, src_len: int, bsz: int) -> None:
    """A row of the mask for each sequence, an element for each key."""
    for dim, expected in ((0, bsz), (1, src_len)):
        size = key_padding_mask.shape[dim]
        if size != expected:
            raise AssertionError(f"Expected key_padded_mask.shape[{dim}] to be {expected}, but got {size}")


def full_mask(attn_mask: Tensor, places: tuple[int, int], heads: int) -> Tensor:
    """A mask for each head of each sequence, or one for all: three dimensions, checked."""
    if attn_mask.dim() not in _MASK_DIMS:
        raise RuntimeError(f"attn_mask's dimension {attn_mask.dim()} is not supported")
    expected = places if attn_mask.dim() == 2 else (heads, *places)
    if attn_mask.shape != expected:
        raise RuntimeError(f"The shape of the {attn_mask.dim()}D attn_mask is {attn_mask.shape}, but should be "
                           f"{expected}.")
    return attn_mask.unsqueeze(0) if attn_mask.dim() == 2 else attn_mask


def masks_to_add(attn_mask: Tensor | None, padding: Tensor | None, dtype: DType, is_causal: bool,
                 need_weights: bool) -> tuple[Tensor | None, Tensor | None, bool]:
    """Both masks in the form that is added, and whether attention is causal without them."""
    padding = _canonical_mask(padding, "key_padding_mask", _none_or_dtype(attn_mask), "attn_mask", dtype)
    if is_causal and attn_mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
                           "`generate_square_subsequent_mask` to create this mask.")
    if is_causal and padding is None and not need_weights:
        return None, None, True  # the fused kernel makes the triangle itself
    attn_mask = _canonical_mask(attn_mask, "attn_mask", None, "", dtype, check_other=False)
    return attn_mask, padding, is_causal and padding is None  # with padding, the mask is no triangle
