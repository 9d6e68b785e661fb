"""Unpickle a file's objects: torch's names are ours, and storages come from the file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.torch_names import find, is_torch_module
from . import weights_only
from .safe_globals import StorageType


def unpickler(pickle_module: Any, file, persistent_load: Callable, arguments: dict):
    """An unpickler of a module's own class, or the restricted one."""
    base = pickle_module.Unpickler

    class Unpickler(base):
        def find_class(self, module: str, name: str):
            if not is_torch_module(module):
                return super().find_class(module, name)
            if name.endswith("Storage"):
                try:
                    return StorageType(name)
                except KeyError:
                    pass
            return find(module, name)

    unpickler = base(file, **arguments) if pickle_module is weights_only else Unpickler(file, **arguments)
    unpickler.persistent_load = persistent_load
    return unpickler
