"""The module that a device's author brings along: ``torch.npu`` for a device named npu."""

from __future__ import annotations

import sys
from types import ModuleType

from .core.device import device

_ROOT = __name__.rpartition(".")[0]


def _register_device_module(device_type: str, module: ModuleType) -> None:
    """Make a module known as torch's own module for a kind of device."""
    name, root = device(device_type).type, sys.modules[_ROOT]
    if hasattr(root, name):
        raise RuntimeError(f"The runtime module of '{name}' has already been registered with '{getattr(root, name)}'")
    setattr(root, name, module)
    sys.modules[f"{_ROOT}.{name}"] = module


def get_device_module(device_or_name: device | str | None = None) -> ModuleType:
    """torch's module for a device; that of the processor if none is named, as there is no other of torch's own."""
    return module_of_type(device_or_name.type if isinstance(device_or_name, device)
                          else device(device_or_name or "cpu").type)


def module_of_type(name: str) -> ModuleType:
    """The same for a type of device by its name, which need not be one that torch knows."""
    module = getattr(sys.modules[_ROOT], name, None)
    if module is None:
        raise RuntimeError(f"Device '{name}' does not have a corresponding module registered as 'torch.{name}'.")
    return module
