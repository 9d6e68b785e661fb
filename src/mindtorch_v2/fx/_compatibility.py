"""torch.fx._compatibility: a mark on functions that extend torch.fx, for those who keep its promises."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

_F = TypeVar("_F", bound=Callable)


def compatibility(is_backward_compatible: bool) -> Callable[[_F], _F]:
    """A decorator that leaves the function as it is."""
    return lambda function: function
