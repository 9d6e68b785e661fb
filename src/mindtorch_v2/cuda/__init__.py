"""torch.cuda: there is none, and every question is answered so."""

from __future__ import annotations

from ..api.tensor_types import CUDA_TYPES as _TENSOR_TYPES
from ..core.errors import AcceleratorError, OutOfMemoryError
from ..core.missing_name import missing as _missing
from ..device_errors import no_cuda as _no_cuda
from . import amp, graphs, memory, nccl, nvtx, profiler, random, streams
from .graphs import CUDAGraph, graph, graph_pool_handle, is_current_stream_capturing, make_graphed_callables
from .memory import (
    CUDAPluggableAllocator,
    MemPool,
    caching_allocator_alloc,
    caching_allocator_delete,
    caching_allocator_disabled,
    caching_allocator_enable,
    change_current_allocator,
    empty_cache,
    get_per_process_memory_fraction,
    host_memory_stats,
    host_memory_stats_as_nested_dict,
    list_gpu_processes,
    max_memory_allocated,
    max_memory_cached,
    max_memory_reserved,
    mem_get_info,
    memory_allocated,
    memory_cached,
    memory_reserved,
    memory_snapshot,
    memory_stats,
    memory_stats_as_nested_dict,
    memory_summary,
    reset_accumulated_host_memory_stats,
    reset_accumulated_memory_stats,
    reset_max_memory_allocated,
    reset_max_memory_cached,
    reset_peak_host_memory_stats,
    reset_peak_memory_stats,
    set_per_process_memory_fraction,
    use_mem_pool,
)
from .random import (
    get_rng_state,
    get_rng_state_all,
    initial_seed,
    manual_seed,
    manual_seed_all,
    seed,
    seed_all,
    set_rng_state,
    set_rng_state_all,
)
from .streams import Event, ExternalStream, Stream

globals().update(_TENSOR_TYPES)  # classes to ask for, which no tensor is an instance of
default_generators = ()
has_half, has_magma = True, False
_initialized = False


class CudaError(RuntimeError):
    """What torch raises for a code of the CUDA library; for except clauses."""


class DeferredCudaCallError(Exception):
    """What torch raises for calls that waited for a device; for except clauses."""


def is_available() -> bool:
    return False


def is_initialized() -> bool:
    return False


def _is_in_bad_fork() -> bool:
    return False


def _lazy_call(callable, **kwargs) -> None:
    """What torch calls once a device is there: never."""


def is_bf16_supported(including_emulation: bool = True) -> bool:
    return False


def is_tf32_supported() -> bool:
    return False


def device_count() -> int:
    return 0


def get_arch_list() -> list[str]:
    return []


def get_gencode_flags() -> str:
    return ""


class device:  # noqa: N801  torch's name
    """A block on a device: only that of a negative number, which is none, can be entered."""

    def __init__(self, device) -> None:
        self.idx = device if isinstance(device, int) else getattr(device, "index", None)

    def __enter__(self) -> None:
        if self.idx is None or self.idx >= 0:
            raise RuntimeError("PyTorch was compiled without CUDA support")

    def __exit__(self, *error) -> bool:
        return False


class device_of(device):  # noqa: N801  torch's name
    """A block on a tensor's device; a tensor that is on none changes nothing."""

    def __init__(self, obj) -> None:
        super().__init__(-1)


class StreamContext:
    """A block on a stream; None is no stream, and changes nothing."""

    def __init__(self, stream: Stream | None) -> None:
        self.stream = stream

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error) -> None:
        pass


def stream(stream: Stream | None) -> StreamContext:
    """A block on a stream."""
    return StreamContext(stream)


def set_stream(stream: Stream | None) -> None:
    """Of no stream, nothing."""


def set_device(device) -> None:
    """Refused but for a negative number, which is no device."""
    if not (isinstance(device, int) and device < 0):
        _no_cuda()


init = current_device = current_stream = default_stream = synchronize = ipc_collect = cudart = _no_cuda
get_device_name = get_device_properties = get_device_capability = can_device_access_peer = _no_cuda
current_blas_handle = get_sync_debug_mode = set_sync_debug_mode = _lazy_init = _no_cuda
utilization = temperature = power_draw = clock_rate = memory_usage = device_memory_used = _no_cuda

__getattr__ = _missing(__name__)
