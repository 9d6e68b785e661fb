"""Modules without first values."""

from __future__ import annotations

import inspect

from ..modules.module import Module


def skip_init(module_cls: type[Module], *args, **kwargs) -> Module:
    """A module whose parameters are memory that nobody wrote."""
    if not issubclass(module_cls, Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    final_device = kwargs.pop("device", "cpu")
    return module_cls(*args, **kwargs, device="meta").to_empty(device=final_device)
