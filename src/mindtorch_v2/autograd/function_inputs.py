"""What a row shows of a Function's arguments: tensors, and values of Python whose type can be told at a glance."""

from __future__ import annotations

from collections.abc import Hashable

from ..core.tensor import Tensor

PLAIN = (bool, int, float, complex)


def shown(args: tuple) -> tuple:
    """The arguments of a call as its row shows them: others have no place in it; tuples have one, without values."""
    return tuple(None if isinstance(value, tuple) else value for value in args
                 if isinstance(value, Tensor) or kind_of(value) is not None)


def kind_of(value) -> Hashable | None:
    """A value's type: None, a number, a list of one type or a tuple of any; None for what is none of these."""
    if value is None:
        return "none"
    if isinstance(value, tuple):
        kinds = tuple(kind_of(item) for item in value)
        return None if None in kinds else ("tuple", kinds)
    if isinstance(value, list):
        kinds = {kind_of(item) for item in value}
        return ("list", *kinds) if len(kinds) == 1 and None not in kinds else None
    return next((plain for plain in PLAIN if isinstance(value, plain)), None)
