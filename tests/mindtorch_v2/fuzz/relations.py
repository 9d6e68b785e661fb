"""What holds without PyTorch: two ways to ask the same question give the same answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from . import compare, hints

# Ops whose answer depends on more than values: on memory, on its layout, or on the order in which numbers are drawn.
EXEMPT = hints.UNINITIALISED | hints.RANDOM | {
    "stride", "is_contiguous", "as_strided", "as_strided_", "as_strided_scatter", "set_", "view", "storage_offset",
    "view_as_complex", "view_as", "contiguous", "resize_as_", "ravel"}


class Relation(NamedTuple):
    """How a call is asked in another way, and whether both ways must also refuse the same."""

    twin: Callable[[dict, set], dict | None]
    refuse_alike: bool


def _without_gaps(call: dict, names: set) -> dict | None:
    """The same values, row by row in memory of their own."""
    twin = {**call, "args": [{**v, "copied": True} if _has_layout(v) else v for v in call["args"]]}
    writes = call["name"].endswith("_") or call["name"] in ("setitem", "getitem") or "out" in call["kwargs"]
    return None if twin == call or writes else twin


def _has_layout(value) -> bool:
    return isinstance(value, dict) and value.get("layout", "contiguous") != "contiguous"


def _function(call: dict, names: set) -> dict | None:
    """``torch.add(x, y)`` for ``x.add(y)``."""
    return {**call, "form": "function"} if call["form"] == "method" and ("function", call["name"]) in names else None


def _not_in_place(call: dict, names: set) -> dict | None:
    """``x.add(y)`` for ``x.add_(y)``."""
    name = call["name"].removesuffix("_")
    return {**call, "name": name} if name != call["name"] and (call["form"], name) in names else None


def _without_out(call: dict, names: set) -> dict | None:
    """``torch.add(x, y)`` for ``torch.add(x, y, out=z)``."""
    if call["kwargs"].get("out") is None:
        return None
    return {**call, "kwargs": {k: v for k, v in call["kwargs"].items() if k != "out"}}


RELATIONS = {
    "strided operands equal contiguous ones": Relation(_without_gaps, True),
    "the method equals the function": Relation(_function, False),
    "in place equals functional": Relation(_not_in_place, False),
    "out= equals functional": Relation(_without_out, False),
}


def broken(relation: Relation, answer: dict, other: dict) -> bool:
    """Whether the answers to a call and to its twin contradict each other."""
    if "value" not in answer or "value" not in other:
        return relation.refuse_alike and ("value" in answer) != ("value" in other)
    return compare.compare(answer, other) in ("other value", "other shape")
