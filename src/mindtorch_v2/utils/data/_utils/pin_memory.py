"""Batches in memory that a device can read by itself: on the CPU alone, they stay where they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....core.tensor import Tensor
from .collate import mapping_like, sequence_like


def pin_memory(data: Any, device=None) -> Any:
    """The same data with everything pinned that can be: tensors, and objects with a method of that name."""
    if isinstance(data, Tensor):
        return data.pin_memory()
    if isinstance(data, (str, bytes)):
        return data
    if isinstance(data, Mapping):
        return mapping_like(data, {key: pin_memory(value, device) for key, value in data.items()})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(pin_memory(item, device) for item in data))
    if isinstance(data, tuple):
        return [pin_memory(item, device) for item in data]  # as torch always did
    if isinstance(data, Sequence):
        return sequence_like(data, [pin_memory(item, device) for item in data])
    return data.pin_memory() if hasattr(data, "pin_memory") else data
