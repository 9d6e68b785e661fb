"""Causal masks that are known as such: attention takes its causal form instead of a mask."""

from __future__ import annotations

import warnings
from enum import IntEnum

from ...api.install import FUNCTIONS
from ...core.attention_backends import SDPAParams
from ...core.device import device as Device  # noqa: N812  its name is that of a parameter here
from ...core.dtype import bool_
from ...core.tensor import Tensor
from .. import functional as F  # noqa: N812  torch's users know it by this letter
from . import _raise_kernel_warnings

__all__ = ["causal_upper_left", "causal_lower_right", "CausalVariant", "CausalBias"]


class CausalVariant(IntEnum):
    """From which corner the triangle is counted where queries and keys differ in number."""

    UPPER_LEFT = 1
    LOWER_RIGHT = 2


class CausalBias(Tensor):
    """A causal mask of two lengths; its elements are made only where they are needed."""

    def __init__(self, variant: CausalVariant, seq_len_q: int, seq_len_kv: int) -> None:
        if not isinstance(variant, CausalVariant):
            raise AssertionError(f"variant must be a CausalVariant, got {type(variant).__name__}")
        super().__init__()
        self.variant = variant
        self.seq_len_q = seq_len_q
        self.seq_len_kv = seq_len_kv
        if seq_len_q > seq_len_kv and variant == CausalVariant.LOWER_RIGHT:
            warnings.warn("Lower right causal bias will produce NaNs in the output when seq_len_q > seq_len_kv!",
                          stacklevel=2)

    def _materialize(self, device: Device | None = None) -> Tensor:
        """The mask itself: true where a key is seen."""
        diagonal = self.seq_len_kv - self.seq_len_q if self.variant == CausalVariant.LOWER_RIGHT else 0
        ones = FUNCTIONS["ones"](self.seq_len_q, self.seq_len_kv, device=device or "cpu", dtype=bool_)
        return FUNCTIONS["tril"](ones, diagonal=diagonal)

    @staticmethod
    def _dispatch(query: Tensor, key: Tensor, value: Tensor, attn_mask: CausalBias, dropout_p: float = 0.0,
                  is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False) -> Tensor:
        """Attention under a causal bias: causal attention where the corners agree, else under the mask itself."""
        if is_causal:
            raise ValueError("CausalBias should not be used with causal=True")
        options = {"dropout_p": dropout_p, "scale": scale, "enable_gqa": enable_gqa}
        if attn_mask.seq_len_q == attn_mask.seq_len_kv or attn_mask.variant == CausalVariant.UPPER_LEFT:
            return F.scaled_dot_product_attention(query, key, value, attn_mask=None, is_causal=True, **options)
        _check(query, key, value)
        _raise_kernel_warnings(SDPAParams(query, key, value, None, dropout_p, is_causal, enable_gqa))
        mask = attn_mask._materialize(query.device)
        return F.scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=False, **options)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is F.scaled_dot_product_attention:
            return cls._dispatch(*args, **(kwargs or {}))
        return super().__torch_function__(func, types, args, kwargs)

    def __repr__(self) -> str:
        return repr(self._materialize())


def _check(query: Tensor, key: Tensor, value: Tensor) -> None:
    """What torch's Python asks of the inputs before attention under a mask."""
    if not query.dtype == key.dtype == value.dtype:
        raise ValueError(f"Expected query, key, and value to have the same dtype, but got query.dtype: {query.dtype}, "
                         f"key.dtype: {key.dtype}, and value.dtype: {value.dtype} instead.")
    if not query.device == key.device == value.device:
        raise ValueError("Expected query, key, and value to have the same device type, but got query.device: "
                         f"{query.device}, key.device: {key.device}, and value.device: {value.device} instead.")
    if min(query.dim(), key.dim(), value.dim()) < 2:
        raise ValueError("Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: "
                         f"{query.dim()}, key.dim: {key.dim()} and value.dim: {value.dim()} instead.")


def causal_upper_left(*size: int) -> CausalBias:
    """Query i sees the keys up to i."""
    if len(size) != 2:
        raise AssertionError("causal_upper_left only supports 2D tensors")
    return CausalBias(CausalVariant.UPPER_LEFT, *size)


def causal_lower_right(*size: int) -> CausalBias:
    """The last query sees all keys, each one before it one less."""
    if len(size) != 2:
        raise AssertionError("causal_lower_right only supports 2D tensors")
    return CausalBias(CausalVariant.LOWER_RIGHT, *size)
