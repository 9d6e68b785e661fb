"""torch.cuda: there is none, and every question is answered so."""

from __future__ import annotations

from collections import OrderedDict

from ..api.tensor_types import CUDA_TYPES as _TENSOR_TYPES
from . import amp

globals().update(_TENSOR_TYPES)  # classes to ask for, which no tensor is an instance of


def is_available() -> bool:
    return False


def is_initialized() -> bool:
    return False


def is_bf16_supported(including_emulation: bool = True) -> bool:
    return False


def is_tf32_supported() -> bool:
    return False


def device_count() -> int:
    return 0


def get_arch_list() -> list[str]:
    return []


def manual_seed(seed: int) -> None:
    """Without a device there is nothing to seed; torch ignores it too."""


def manual_seed_all(seed: int) -> None:
    """Without a device there is nothing to seed; torch ignores it too."""


def seed() -> None:
    """Without a device there is nothing to seed; torch ignores it too."""


def seed_all() -> None:
    """Without a device there is nothing to seed; torch ignores it too."""


def empty_cache() -> None:
    """Without a device there is nothing to empty; torch ignores it too."""


def memory_allocated(device=None) -> int:
    return 0


def memory_stats(device=None) -> OrderedDict:
    return OrderedDict()


max_memory_allocated = memory_reserved = max_memory_reserved = memory_allocated


def _refuse(*args, **kwargs):
    """Everything that needs a device."""
    raise AssertionError("Torch not compiled with CUDA enabled")


init = current_device = current_stream = default_stream = set_device = synchronize = ipc_collect = _refuse
get_device_name = get_device_properties = get_device_capability = mem_get_info = _refuse
get_rng_state = set_rng_state = initial_seed = _refuse
