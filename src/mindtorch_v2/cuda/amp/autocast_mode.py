"""The older name of autocast for CUDA, which warns of its successor."""

from __future__ import annotations

import warnings
from collections.abc import Callable

from ...amp import autocast_mode
from ...core.dtype import DType, float16


class autocast(autocast_mode.autocast):  # noqa: N801  torch's name
    """``torch.amp.autocast("cuda", ...)``."""

    def __init__(self, enabled: bool = True, dtype: DType = float16, cache_enabled: bool = True):
        warnings.warn("`torch.cuda.amp.autocast(args...)` is deprecated. Please use `torch.amp.autocast('cuda', "
                      "args...)` instead.", FutureWarning, stacklevel=2)
        super().__init__("cuda", dtype, enabled, cache_enabled)


def _deprecate(old: str, new: str) -> None:
    warnings.warn(f"`torch.cuda.amp.{old}` is deprecated. Please use `torch.amp.{new}` instead.", FutureWarning,
                  stacklevel=3)


def _cast(value, dtype: DType):
    """Tensors on CUDA, alone or in containers, in another type."""
    _deprecate("autocast_mode._cast(value, dtype)", "autocast_mode._cast(value, 'cuda', dtype)")
    return autocast_mode._cast(value, "cuda", dtype)


def custom_fwd(fwd: Callable | None = None, *, cast_inputs: DType | None = None) -> Callable:
    """``torch.amp.custom_fwd(..., device_type="cuda")``."""
    _deprecate("custom_fwd(args...)", "custom_fwd(args..., device_type='cuda')")
    return autocast_mode.custom_fwd(fwd, device_type="cuda", cast_inputs=cast_inputs)


def custom_bwd(bwd: Callable) -> Callable:
    """``torch.amp.custom_bwd(..., device_type="cuda")``."""
    _deprecate("custom_bwd(args...)", "custom_bwd(args..., device_type='cuda')")
    return autocast_mode.custom_bwd(bwd, device_type="cuda")
