"""What a row shows of a Function's arguments: tensors, and values of Python whose type can be told at a glance."""

from __future__ import annotations

from collections.abc import Hashable

from ..core.tensor import Tensor

PLAIN = (bool, int, float, complex)
DEEPEST = 32  # lists in lists that are looked into


def shown(args: tuple) -> tuple:
    """The arguments of a call as its row shows them: others have no place in it; tuples have one, without values."""
    return tuple(None if type(value) is tuple else value for value in args
                 if issubclass(type(value), Tensor) or kind_of(value) is not None)


def kind_of(value, depth: int = 0) -> Hashable | None:
    """A value's type: None, a number, a list of one type or a tuple of any; None for what is none of these.

    Only Python's own containers are looked into: a class of the user's own may do anything when it is asked.
    """
    if value is None:
        return "none"
    if type(value) is tuple or type(value) is list:
        if depth == DEEPEST:
            return None
        kinds = [kind_of(item, depth + 1) for item in value]
        if None in kinds:
            return None
        if type(value) is tuple:
            return ("tuple", *kinds)
        return ("list", kinds[0]) if len(set(kinds)) == 1 else None
    return next((plain for plain in PLAIN if issubclass(type(value), plain)), None)
