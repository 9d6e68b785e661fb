"""Tensor._use_count: how many owners a tensor has besides the program, which is counted as one."""

from __future__ import annotations

import gc

from ..core.tensor import Tensor
from .node import Node


def _use_count(self: Tensor) -> int:
    """The program, the graphs that lead to a leaf, what was saved of it, and its views; found by a search, so slow."""
    count, is_led_to = 1, False
    for holder in gc.get_referrers(self):
        if type(holder) is list:
            owners = gc.get_referrers(holder)
            is_led_to |= any(_field(owner, "next_nodes") is holder for owner in owners)
            if any(_field(owner, "args") is holder for owner in owners):
                count += sum(value is self for value in holder)
        else:
            count += _field(holder, "_mt_base") is self
    return count + is_led_to  # all graphs lead to one accumulator


def _field(owner: object, name: str) -> object:
    """A field of a tensor or a node; where nothing is compiled, what refers to its value is its dictionary."""
    if type(owner) is dict:
        return owner.get(name)
    return getattr(owner, name, None) if isinstance(owner, (Tensor, Node)) else None
