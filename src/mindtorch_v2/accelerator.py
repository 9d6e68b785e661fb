"""torch.accelerator: there is none, and every question is answered so."""

from __future__ import annotations

from .core.device import device as _device


def is_available() -> bool:
    return False


def device_count() -> int:
    return 0


def current_accelerator(check_available: bool = False) -> _device | None:
    return None


def _refuse(*args, **kwargs):
    """Everything that needs a device."""
    raise RuntimeError("Cannot access accelerator device when none is available.")


current_device_index = current_device_idx = set_device_index = set_device_idx = current_stream = set_stream = _refuse
synchronize = empty_cache = get_device_capability = memory_allocated = max_memory_allocated = memory_reserved = _refuse
max_memory_reserved = memory_stats = get_memory_info = reset_peak_memory_stats = _refuse
reset_accumulated_memory_stats = _refuse
