"""The older name of autocast for the processor, which warns of its successor."""

from __future__ import annotations

import warnings

from ...amp import autocast_mode
from ...core.dtype import DType, bfloat16


class autocast(autocast_mode.autocast):  # noqa: N801  torch's name
    """``torch.amp.autocast("cpu", ...)``."""

    def __init__(self, enabled: bool = True, dtype: DType = bfloat16, cache_enabled: bool = True):
        warnings.warn("`torch.cpu.amp.autocast(args...)` is deprecated. Please use `torch.amp.autocast('cpu', "
                      "args...)` instead.", FutureWarning, stacklevel=2)
        super().__init__("cpu", dtype, enabled, cache_enabled)
