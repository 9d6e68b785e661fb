"""Numbers out of tensors, on devices that have them: on the meta device every number will do."""

from __future__ import annotations

from ...core.tensor import place_of
from ...dispatch.aten import aten


def has_values(tensor) -> bool:
    """Whether the tensor is on a device that computes."""
    return place_of(tensor).type != "meta"


def number_in(tensor):
    """The only element of a tensor, which shows as a row; zero where there are no values."""
    return aten.item(tensor) if has_values(tensor) else 0
