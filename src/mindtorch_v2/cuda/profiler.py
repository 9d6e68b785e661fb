"""torch.cuda.profiler: start and stop for NVIDIA's profiler, refused as a build without CUDA does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..device_errors import no_cuda as _no_cuda

__all__ = ["profile", "start", "stop"]
start = stop = _no_cuda


@contextmanager
def profile() -> Iterator[None]:
    """A block that is profiled: refused when it begins."""
    start()
    yield
    stop()
