"""torch.backends.cuda: there is none; the switches for attention are there, of which the CPU obeys flash and math."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator

from ..core.attention_backends import SDPAParams, SDPBackend, choice
from ..core.matmul_precision import matmul_settings
from .settings import Settings

_OLD = ("`torch.backends.cuda.sdp_kernel()` is deprecated. In the future, this context manager will be removed. Please "
        "see `torch.nn.attention.sdpa_kernel()` for the new context manager, with updated signature.")

matmul = matmul_settings
cufft_plan_cache = Settings(size=0, max_size=0)


def preferred_linalg_library(backend: str | None = None) -> str:
    """The library that a device would take for linear algebra; there is none to prefer."""
    return "default"


def is_built() -> bool:
    return False


def is_flash_attention_available() -> bool:
    return False


def is_ck_sdpa_available() -> bool:
    return False


def flash_sdp_enabled() -> bool:
    """Whether attention may take the fused kernel."""
    return choice.flash


def enable_flash_sdp(enabled: bool) -> None:
    """Allow or forbid the fused kernel."""
    choice.set("flash", enabled)


def math_sdp_enabled() -> bool:
    """Whether attention may be written in ops."""
    return choice.math


def enable_math_sdp(enabled: bool) -> None:
    """Allow or forbid attention written in ops."""
    choice.set("math", enabled)


def mem_efficient_sdp_enabled() -> bool:
    return choice.mem_efficient


def enable_mem_efficient_sdp(enabled: bool) -> None:
    """Kept; the CPU has no such kernel."""
    choice.set("mem_efficient", enabled)


def cudnn_sdp_enabled() -> bool:
    return choice.cudnn


def enable_cudnn_sdp(enabled: bool) -> None:
    """Kept; the CPU has no such kernel."""
    choice.set("cudnn", enabled)


def fp16_bf16_reduction_math_sdp_allowed() -> bool:
    return choice.reduces_in_half


def allow_fp16_bf16_reduction_math_sdp(enabled: bool) -> None:
    """Kept; halves are summed in float32."""
    if not isinstance(enabled, bool):
        raise RuntimeError(f"set_math_sdp_allow_fp16_bf16_reduction expects a bool, but got {type(enabled).__name__}")
    choice.reduces_in_half = enabled


def can_use_flash_attention(params: SDPAParams, debug: bool = False) -> bool:
    """False: that is asked of CUDA's kernel."""
    return False


def can_use_efficient_attention(params: SDPAParams, debug: bool = False) -> bool:
    """False: that is asked of CUDA's kernel."""
    return False


def can_use_cudnn_attention(params: SDPAParams, debug: bool = False) -> bool:
    """False: that is asked of CUDA's kernel."""
    return False


@contextlib.contextmanager
def sdp_kernel(enable_flash: bool = True, enable_math: bool = True, enable_mem_efficient: bool = True,
               enable_cudnn: bool = True) -> Iterator[dict]:
    """Ways of computing attention allowed inside a block; torch.nn.attention.sdpa_kernel is its successor."""
    warnings.warn(_OLD, FutureWarning, stacklevel=3)
    wanted = {SDPBackend.FLASH_ATTENTION: enable_flash, SDPBackend.EFFICIENT_ATTENTION: enable_mem_efficient,
              SDPBackend.MATH: enable_math, SDPBackend.CUDNN_ATTENTION: enable_cudnn}
    from ..nn.attention import sdpa_kernel  # above this room, as in torch
    with sdpa_kernel([backend for backend, enabled in wanted.items() if enabled]) as context:
        yield context
