"""torch.cuda.nvtx: ranges for NVIDIA's profiler, refused as a build without it does; record_function names ranges."""

from __future__ import annotations

from typing import NoReturn


def _refuse(*args, **kwargs) -> NoReturn:
    raise RuntimeError("NVTX functions not installed. Are you sure you have a CUDA build?")


mark = range = range_end = range_pop = range_push = range_start = _refuse

__all__ = ["mark", "range", "range_end", "range_pop", "range_push", "range_start"]
