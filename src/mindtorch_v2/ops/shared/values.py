# cython: annotation_typing=False
"""Numbers out of tensors, on devices that have them: elsewhere every number will do."""

from __future__ import annotations

from ...devices.facts import ValuesNeededError, has_values
from ...dispatch.aten import aten


def number_in(tensor):
    """The only element of a tensor, which shows as a row; zero where there are no values."""
    return aten.item(tensor) if has_values(tensor) else 0


def require_values(op: str, tensor) -> None:
    """Refuses a tensor without values, on which the shape of the result depends."""
    if not has_values(tensor):
        raise ValuesNeededError(op)
