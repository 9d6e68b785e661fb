"""torch.utils._device: the mode behind ``with torch.device(...)``."""

from __future__ import annotations

import functools
from collections.abc import Callable

from ..core.default_device import DeviceContext
from ..core.slots import Work


def _device_constructors() -> set[Callable]:
    """The functions that take the device of a context."""
    return set(Work.constructors())


def device_decorator(device, func: Callable) -> Callable:
    """A function that runs on a device's context."""
    @functools.wraps(func)
    def inside(*args, **kwargs):
        with DeviceContext(device):
            return func(*args, **kwargs)

    return inside


def set_device(device) -> Callable[[Callable], Callable]:
    """A decorator that makes a function run on a device's context."""
    return lambda func: device_decorator(device, func)
