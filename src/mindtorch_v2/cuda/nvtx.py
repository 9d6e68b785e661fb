"""torch.cuda.nvtx: ranges for NVIDIA's profiler, refused as a build without it does; record_function names ranges."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

__all__ = ["mark", "range", "range_end", "range_pop", "range_push", "range_start"]


def _refuse(*args, **kwargs) -> NoReturn:
    raise RuntimeError("NVTX functions not installed. Are you sure you have a CUDA build?")


mark = range_end = range_pop = range_push = range_start = _refuse


@contextmanager
def range(msg: str, *args, **kwargs) -> Iterator[None]:
    """A range around a block or a function: it is refused when it begins, not where it is named."""
    range_push(msg.format(*args, **kwargs))
    yield
