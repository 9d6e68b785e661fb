"""torch.cuda.memory: without a device nothing is allocated there, and there is nothing to reset or to limit."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Iterator

from ..core.missing_name import missing as _missing
from ..device_errors import no_cuda as _no_cuda


class MemPool:
    """A pool of a device's memory."""

    def __new__(cls, *args, **kwargs):
        raise RuntimeError("Tried to instantiate dummy base class MemPool")


class CUDAPluggableAllocator:
    """An allocator of the program's own."""

    def __new__(cls, *args, **kwargs):
        raise RuntimeError("Tried to instantiate dummy base class _CUDAAllocator")


def empty_cache() -> None:
    """Without a device there is nothing to empty; torch ignores it too."""


def memory_allocated(device=None) -> int:
    return 0


max_memory_allocated = memory_reserved = max_memory_reserved = memory_allocated
memory_cached = max_memory_cached = memory_allocated


def memory_stats(device=None) -> OrderedDict:
    return OrderedDict()


def memory_stats_as_nested_dict(device=None) -> dict:
    return {}


host_memory_stats, host_memory_stats_as_nested_dict = memory_stats, memory_stats_as_nested_dict


def memory_summary(device=None, abbreviated: bool = False) -> str:
    """Says that there is no device, where torch's fails."""
    return "no CUDA device, no CUDA memory"


def reset_peak_memory_stats(device=None) -> None:
    """Nothing was allocated, and so there is nothing to reset."""


reset_accumulated_memory_stats = reset_max_memory_allocated = reset_max_memory_cached = reset_peak_memory_stats
reset_accumulated_host_memory_stats = reset_peak_host_memory_stats = reset_peak_memory_stats


@contextlib.contextmanager
def caching_allocator_disabled() -> Iterator[None]:
    """A block without the cache of a device's memory."""
    yield


mem_get_info = set_per_process_memory_fraction = get_per_process_memory_fraction = caching_allocator_alloc = _no_cuda
caching_allocator_delete = caching_allocator_enable = use_mem_pool = change_current_allocator = _no_cuda
memory_snapshot = list_gpu_processes = _no_cuda

__getattr__ = _missing(__name__)
