"""``Tensor.__repr__`` as subclasses call it: with other words in the place of the values."""

from __future__ import annotations

from ...core.tensor import Tensor, add_attribute
from .convert import text


def representation(self: Tensor, *, tensor_contents: str | None = None) -> str:
    """What repr() prints."""
    return text(self, tensor_contents=tensor_contents)


add_attribute("__repr__", representation)
