"""torch.mps: there is none, and every question is answered so."""

from __future__ import annotations


def is_available() -> bool:
    return False


def device_count() -> int:
    return 0


def _refusal(name: str):
    def refuse(*args, **kwargs):
        """Everything that needs the device."""
        raise RuntimeError(f"Cannot execute {name}() without MPS backend.")
    return refuse


synchronize, empty_cache = _refusal("deviceSynchronize"), _refusal("emptyCache")
driver_allocated_memory, current_allocated_memory = (_refusal("getDriverAllocatedMemory"),
                                                     _refusal("getCurrentAllocatedMemory"))
get_rng_state = set_rng_state = seed = manual_seed = _refusal("getDefaultGenerator")
