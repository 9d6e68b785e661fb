"""torch.cuda: there is none, and every question is answered so."""

from __future__ import annotations


def is_available() -> bool:
    return False


def is_initialized() -> bool:
    return False


def is_bf16_supported(including_emulation: bool = True) -> bool:
    return False


def device_count() -> int:
    return 0


def manual_seed(seed: int) -> None:
    """Without a device there is nothing to seed; torch ignores it too."""


def manual_seed_all(seed: int) -> None:
    """Without a device there is nothing to seed; torch ignores it too."""


def empty_cache() -> None:
    """Without a device there is nothing to empty; torch ignores it too."""


def _refuse(*args, **kwargs):
    """Everything that needs a device."""
    raise AssertionError("Torch not compiled with CUDA enabled")


current_device = get_device_name = get_device_properties = synchronize = set_device = _refuse
