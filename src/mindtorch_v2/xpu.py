"""torch.xpu: there is none, and every question is answered so."""

from __future__ import annotations

from .core.missing_name import missing as _missing
from .cuda import (
    device_count,
    empty_cache,
    get_arch_list,
    get_rng_state_all,
    is_available,
    is_bf16_supported,
    is_current_stream_capturing,
    is_initialized,
    is_tf32_supported,
    manual_seed,
    manual_seed_all,
    max_memory_allocated,
    max_memory_reserved,
    memory_allocated,
    memory_reserved,
    memory_stats,
    reset_accumulated_memory_stats,
    reset_peak_memory_stats,
    seed,
    seed_all,
    set_rng_state_all,
)


def _refuse(*args, **kwargs):
    """Everything that needs a device."""
    raise AssertionError("Torch not compiled with XPU enabled")


init = current_device = current_stream = set_device = synchronize = get_device_name = get_device_properties = _refuse
get_device_capability = mem_get_info = get_rng_state = set_rng_state = initial_seed = _refuse

__all__ = ["device_count", "empty_cache", "get_arch_list", "get_rng_state_all", "is_available", "is_bf16_supported",
           "is_current_stream_capturing", "is_initialized", "is_tf32_supported", "manual_seed", "manual_seed_all",
           "max_memory_allocated", "max_memory_reserved", "memory_allocated", "memory_reserved", "memory_stats",
           "reset_accumulated_memory_stats", "reset_peak_memory_stats", "seed", "seed_all", "set_rng_state_all"]
__getattr__ = _missing(__name__)
