"""Named results: what ops with several of them return, as torch.return_types has it."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from functools import wraps

from ..core.torch_names import shown_package

NAMED: dict[str, type] = {}  # by op; torch.return_types shows them


def named(op: str, fields: tuple[str, ...]) -> type:
    """A tuple type whose fields have names, printed as torch prints it; one for all overloads of an op."""
    if op in NAMED and NAMED[op]._fields == fields:
        return NAMED[op]

    class Named(namedtuple(op, fields)):
        __slots__ = ()

        def __new__(cls, *values):
            """From its fields or, as torch's own is made, from a sequence of them (and a dict, which is empty)."""
            given_as_one = len(values) == 1 or type(values[1]) is dict
            return super().__new__(cls, *(_items(values[0], len(fields), op) if given_as_one else values))

        def __reduce__(self):
            return type(self), (tuple(self), {})

        def __repr__(self) -> str:
            shown = ",\n".join(f"{name}={value!r}" for name, value in zip(self._fields, self))
            return f"torch.return_types.{op}(\n{shown})"

    Named.__name__ = Named.__qualname__ = op
    Named.__module__ = f"{shown_package()}.return_types"
    NAMED.setdefault(op, Named)
    return Named


def _items(sequence, count: int, op: str) -> tuple:
    """The items of a sequence that a result is made of, or torch's complaint about it."""
    try:
        items = tuple(sequence)
    except TypeError:
        raise TypeError("constructor requires a sequence") from None
    if len(items) != count:
        raise TypeError(f"torch.return_types.{op}() takes a {count}-sequence ({len(items)}-sequence given)")
    return items


def is_named(cls: type) -> bool:
    """Whether a class is one of torch.return_types."""
    return issubclass(cls, tuple) and hasattr(cls, "_fields") and cls.__module__.endswith(".return_types")


def naming(body: Callable, result_type: type) -> Callable:
    """A composition whose results get their names when it returns; those of other ops get them from the dispatcher."""
    @wraps(body)
    def named_body(*args):
        return result_type(*body(*args))
    return named_body
