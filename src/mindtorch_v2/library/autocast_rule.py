"""What autocast does to the arguments of a user's op: floating ones are cast, and it runs without autocast."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.autocast import is_autocast_enabled, set_autocast_enabled
from ..core.dtype import DType, float64
from ..core.tensor import Tensor

DEVICES = ("cpu", "cuda")


def wanted(rules: dict[str, DType]) -> str | None:
    """The kind of device whose autocast is on and has a rule."""
    return next((kind for kind in rules if is_autocast_enabled(kind)), None)


def run_cast(run: Callable, args: tuple, kind: str, dtype: DType) -> Any:
    """Run an op on the cast arguments, without autocast."""
    cast_args = [_cast(value, kind, dtype) for value in args]
    set_autocast_enabled(kind, False)
    try:
        return run(*cast_args)
    finally:
        set_autocast_enabled(kind, True)


def _cast(value: Any, kind: str, dtype: DType) -> Any:
    """Floating tensors on the device in a type, but for float64; lists of them, too."""
    if isinstance(value, Tensor):
        takes_part = value.is_floating_point() and value.device.type == kind and value.dtype is not float64
        return value.to(dtype) if takes_part else value
    if isinstance(value, (list, tuple)):
        return type(value)([_cast(item, kind, dtype) for item in value])
    return value
