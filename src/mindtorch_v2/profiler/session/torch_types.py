"""The framework's number types, layout and devices, handed down to what shows tensors in results."""

from __future__ import annotations

from ...core.device import _get_layout, _get_privateuse1_backend_name, device
from ...core.dtype import by_name
from ..kineto.tensor_types import Place, types


def _place(name: str, index: int | None) -> device | Place:
    """A device; one that a profile from elsewhere names need not exist here."""
    try:
        return device(name, index)
    except RuntimeError:
        return Place(name, index)


types.use(by_name, _place, _get_layout, _get_privateuse1_backend_name)
