"""Attention whose scores are changed and hidden by functions of the user's own, written in ops."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, TypedDict

from ...api.install import FUNCTIONS
from ...core.dtype import float32, float64
from ...core.tensor import Tensor
from ...core.user_warning import warn_user
from ...ops.python.construct import tensor
from .block_mask import (
    _DEFAULT_SPARSE_BLOCK_SIZE,  # noqa: F401  programs read it here
    _LARGE_SPARSE_BLOCK_SIZE,
    BlockMask,
    _sliced_mask_mod_error,
    create_block_mask,
)
from .mods import Mod, _identity, and_masks, create_mask, noop_mask, on_positions, or_masks

__all__ = ["BlockMask", "flex_attention", "AuxOutput", "AuxRequest", "FlexKernelOptions", "create_block_mask",
           "create_mask", "or_masks", "and_masks", "noop_mask"]

_FLEX_ATTENTION_DISABLE_COMPILE_DEBUG = False  # programs set it to see their functions run; here they always do
_Backend = Literal["AUTO", "TRITON", "FLASH", "TRITON_DECODE"]
_BACKENDS = ("AUTO", "TRITON", "FLASH", "TRITON_DECODE")
_DEVICES = ("cuda", "cpu", "xpu", "hpu", "mps")
_KEYS = "q_len={} and kv_len={}. As the block mask was created for a {} length than you're using it for, you "
_TOO_SMALL = "likely need to create a new block mask."
_TOO_LARGE = ("can either 1. create a new block mask with the correct length, or 2. 'adjust' the existing block mask "
              "to the correct length by calling block_mask._adjust(q_len, kv_len). This essentially 'crops' the block "
              "mask to the upper left corner, which does not work for all mask_mods!")


class FlexKernelOptions(TypedDict, total=False):
    """Options of torch's generated kernels; taken and checked, without effect."""

    BLOCK_M: int
    BLOCK_N: int
    PRESCALE_QK: bool
    ROWS_GUARANTEED_SAFE: bool
    BLOCKS_ARE_CONTIGUOUS: bool
    WRITE_DQ: bool
    FORCE_USE_FLEX_ATTENTION: bool
    USE_TMA: bool
    BACKEND: _Backend


class AuxRequest(NamedTuple):
    """What is wanted beside the attention."""

    lse: bool = False
    max_scores: bool = False


class AuxOutput(NamedTuple):
    """The logarithm of each softmax's sum, and the largest score."""

    lse: Tensor | None = None
    max_scores: Tensor | None = None


def flex_attention(query: Tensor, key: Tensor, value: Tensor, score_mod: Mod | None = None,
                   block_mask: BlockMask | None = None, scale: float | None = None, enable_gqa: bool = False,
                   return_lse: bool = False, kernel_options: FlexKernelOptions | None = None, *,
                   return_aux: AuxRequest | None = None):
    """softmax(score_mod(query key' scale)) value over what the mask shows."""
    _check_inputs(query, key, value)
    _check_heads(query, key, enable_gqa)
    _check_batches(query, key, block_mask)
    if block_mask is not None:
        _check_mask(query, key, block_mask)
    if return_lse and return_aux is not None:
        raise ValueError("Cannot specify both return_lse and return_aux. return_lse is deprecated, please use "
                         "return_aux=AuxRequest(lse=True) instead.")
    if return_lse:
        warn_user("return_lse is deprecated and will be removed in v2.10. Please use return_aux=AuxRequest(lse=True) "
                  "instead.", FutureWarning)
    _check_options(kernel_options)
    scores = _scores(query, key, 1.0 / math.sqrt(query.size(-1)) if scale is None else scale)
    mask_mod = noop_mask if block_mask is None else block_mask.mask_mod
    scores = _modified(scores, _identity if score_mod is None else score_mod, mask_mod)
    output = _attended(scores, query, value)
    if return_aux is not None:
        return output, AuxOutput(_log_sums(scores) if return_aux.lse else None,
                                 scores.max(dim=-1)[0] if return_aux.max_scores else None)
    return (output, _log_sums(scores)) if return_lse else output


def _scores(query: Tensor, key: Tensor, scale: float) -> Tensor:
    """Scaled products in float32, or in float64 where the queries are."""
    wide = float64 if query.dtype is float64 else float32
    key = _for_all(key, query)
    return (query.to(wide) @ key.to(wide).transpose(-2, -1) * scale).to(wide)


def _for_all(shared: Tensor, query: Tensor) -> Tensor:
    """Keys or values for every head and batch of queries that shares them."""
    shared = shared.repeat_interleave(query.size(1) // shared.size(1), dim=1)
    if query.size(0) != shared.size(0) and shared.size(0) != 1:
        raise RuntimeError(f"Bq and Bkv must broadcast. Got Bq={query.size(0)} and Bkv={shared.size(0)}")
    return shared.expand(query.size(0), *shared.shape[1:])


def _modified(scores: Tensor, score_mod: Mod, mask_mod: Mod) -> Tensor:
    shape, device = tuple(scores.shape), scores.device
    lowest = tensor(-math.inf, dtype=scores.dtype, device=device)
    return FUNCTIONS["where"](on_positions(mask_mod, shape, device), on_positions(score_mod, shape, device, scores),
                              lowest)


def _attended(scores: Tensor, query: Tensor, value: Tensor) -> Tensor:
    """Values weighted by the softmax of scores, lying in memory as the queries do."""
    weights = FUNCTIONS["_safe_softmax"](scores, -1)
    output = weights.to(query.dtype) @ _for_all(value, query).to(query.dtype)
    order = sorted(range(output.dim()), key=lambda dim: query.stride(dim), reverse=True)
    back = [order.index(dim) for dim in range(output.dim())]
    return output.permute(order).contiguous().permute(back)


def _log_sums(scores: Tensor) -> Tensor:
    """The logarithm of each softmax's sum; minus infinity where a query sees nothing."""
    lost = (scores == -math.inf).all(dim=-1)
    return FUNCTIONS["where"](lost, -math.inf, scores.logsumexp(dim=-1))


# ---- checks, in torch's order and words -----------------------------------------------------------------------


def _check_inputs(query: Tensor, key: Tensor, value: Tensor) -> None:
    if query.is_nested or key.is_nested or value.is_nested:
        raise NotImplementedError("flex_attention does not support NestedTensor inputs, including "
                                  "torch.compile(flex_attention) with jagged NestedTensor inputs. Convert inputs to "
                                  "dense tensors before calling flex_attention.")
    if not query.device == key.device == value.device:
        raise ValueError("Expected query, key, and value to have the same device type, but got query.device: "
                         f"{query.device}, key.device: {key.device}, and value.device: {value.device} instead.")
    if min(query.dim(), key.dim(), value.dim()) < 2:
        raise ValueError("Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: "
                         f"{query.dim()}, key.dim: {key.dim()} and value.dim: {value.dim()} instead.")
    if query.size(-1) != key.size(-1):
        raise ValueError("Expect query and key/value to have the same embedding dimension but got "
                         f"E={query.size(-1)} and E={key.size(-1)}.")
    if query.device.type not in _DEVICES:
        raise ValueError("FlexAttention is only supported on CUDA, CPU, HPU, or MPS devices. Found input tensors on "
                         f"{query.device.type} device.")
    if not query.dim() == key.dim() == value.dim() == 4:
        raise NotImplementedError("NYI: query, key, and value must be 4D tensors")


def _check_heads(query: Tensor, key: Tensor, enable_gqa: bool) -> None:
    heads, shared = query.size(-3), key.size(-3)
    if not enable_gqa and heads != shared:
        raise ValueError(f"Expect query and key/value to have the same number of heads but got Hq={heads} and "
                         f"Hkv={shared}. Try setting enable_gqa=True for GQA.")
    if enable_gqa and heads % shared:
        raise ValueError("Expect number of query heads to be a multiple of kv heads for GQA but got "
                         f"Hq={heads} and Hkv={shared}.")


def _check_batches(query: Tensor, key: Tensor, mask: BlockMask | None) -> None:
    queries, keys = query.size(0), key.size(0)
    if queries == keys:
        return
    if mask is None:
        raise ValueError("Expect query and key/value to have the same batch size, or non-none block_mask, but got "
                         f"block_mask=None, Bq={queries}, and Bkv={keys}.")
    if mask.kv_num_blocks.size(0) != queries:
        raise ValueError("Expect query and key/value to have the same batch size, or block_mask and query to have the "
                         f"same batch size, but got Bq={queries}, Bkv={keys}, "
                         f"B_block_mask={mask.kv_num_blocks.size(0)}.")


def _check_mask(query: Tensor, key: Tensor, mask: BlockMask) -> None:
    if mask.mask_mod is _sliced_mask_mod_error:
        raise RuntimeError("Cannot use mask_mod from a sliced BlockMask")
    if tuple(mask.BLOCK_SIZE) != (_LARGE_SPARSE_BLOCK_SIZE, _LARGE_SPARSE_BLOCK_SIZE):
        given, covered = (query.size(-2), key.size(-2)), mask.shape[-2:]
        head = f"block_mask was created for block_mask.shape={mask.shape} but got "
        if given[0] > covered[0] or given[1] > covered[1]:
            raise ValueError(head + _KEYS.format(*given, "smaller") + _TOO_SMALL)
        if given != covered:
            raise ValueError(head + _KEYS.format(*given, "larger") + _TOO_LARGE)
    if query.device != mask.kv_num_blocks.device:
        raise RuntimeError(f"Expect q/k/v and block_mask to be on the same device but got {query.device} and "
                           f"{mask.kv_num_blocks.device}.")


def _check_options(options: FlexKernelOptions | None) -> None:
    options = options or {}
    if "BACKEND" in options and options.get("FORCE_USE_FLEX_ATTENTION", False):
        raise RuntimeError("BACKEND cannot be combined with legacy FORCE_USE_FLEX_ATTENTION. BACKEND supersedes the "
                           "legacy knob; please drop FORCE_USE_FLEX_ATTENTION and only specify the desired BACKEND.")
    if options.get("BACKEND", "AUTO") not in _BACKENDS:
        raise ValueError(f"Invalid BACKEND value '{options['BACKEND']}'. Must be one of {_BACKENDS}")
    for name in ("OUTPUT_LOGSUMEXP", "OUTPUT_MAX"):
        if name in options:
            raise AssertionError(f"{name} must not be in kernel_options")
