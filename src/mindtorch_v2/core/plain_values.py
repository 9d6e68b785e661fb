"""Values of users as a row remembers them: plain, hashable and short. Nothing of theirs that could fail is called.

``issubclass(type(value), str)`` asks the interpreter; ``isinstance`` would ask the value for its ``__class__``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..record.plain_text import shortened
from .device import layout, memory_format
from .dtype import DType

DEPTH = 64  # lists in lists: what lies deeper is not looked at
BITS = 256  # integers that need more are not kept


def plain(value, one: Callable, depth: int):
    """What is no tensor; ``one`` describes the items of lists."""
    kind = type(value)
    if value is None or kind is bool:
        return value if value is None else ("bool", value)
    if issubclass(kind, (list, tuple)):
        return ("[]", *[one(item, depth + 1) for item in items_of(value)]) if depth < DEPTH else ("[]",)
    if issubclass(kind, int):
        return int.__int__(value) if int.bit_length(value) <= BITS else ("code", None)
    if issubclass(kind, float):  # 1, 1.0 and True are equal, but not the same input
        return ("float", float.__float__(value))
    if issubclass(kind, complex):
        return ("complex", complex.__complex__(value))
    if issubclass(kind, str):
        return ("str", shortened(value))
    coded = kind is DType or kind is layout or kind is memory_format  # what torch shows by its number
    return ("code", value.code if coded else None)


def items_of(value: list | tuple) -> Iterator:
    """The items of a list or tuple, whatever a subclass says of them."""
    return list.__iter__(value) if issubclass(type(value), list) else tuple.__iter__(value)
