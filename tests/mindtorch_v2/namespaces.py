"""What modules of functions offer: their names, and how each of them is called."""

from __future__ import annotations

import inspect
import types

ADDRESSES = ("special", "fft", "signal.windows")
COUNTS = (0, 1, 9)  # of arguments that no function takes


class Nothing:
    """What no function of torch takes."""


def names_of(module: types.ModuleType) -> list[str]:
    """The functions of a module."""
    return sorted(name for name, value in vars(module).items() if not name.startswith("_") and callable(value)
                  and not isinstance(value, type))


def described(function) -> list[str]:
    """A function by its signature, or a compiled one by what it says of arguments that nobody would give."""
    if isinstance(function, types.FunctionType):
        signature = inspect.signature(function)
        plain = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
        return [str(signature.replace(parameters=plain, return_annotation=signature.empty))]
    return [complaint(function, [Nothing()] * count) for count in COUNTS]


def complaint(function, args: list) -> str:
    """The text of the error that arguments end in."""
    try:
        function(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "none"
