"""torch.cpu: the one device there is."""

from __future__ import annotations

from . import amp


def is_available() -> bool:
    return True


def is_initialized() -> bool:
    return True


def device_count() -> int:
    return 1


def current_device() -> str:
    return "cpu"


def set_device(device) -> None:
    """There is only one; torch ignores it too."""


def synchronize(device=None) -> None:
    """Ops are done when they return."""
