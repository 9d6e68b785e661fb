"""What a module answers when it is asked for a name of torch that is not there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from .torch_names import PACKAGE, find_moved


def missing(module: str) -> Callable[[str], Any]:
    """A module's ``__getattr__``: what torch has there and we elsewhere, or an error that says what is missing where.

    By that error hasattr() and try work as ever.
    """
    place = module.partition(".")[2]

    def __getattr__(name: str):  # noqa: N807  Python's own name for it
        member = None if name.startswith("__") else find_moved(place, name)
        if member is None:
            raise missing_name(module, name)
        return member
    return __getattr__


def answer_for_missing(package: str) -> None:
    """Have a package, and all below it that is loaded, answer so, unless it has an answer of its own."""
    for name, module in list(sys.modules.items()):
        if name == package or name.startswith(f"{package}."):
            vars(module).setdefault("__getattr__", missing(name))


def missing_name(module: str, name: str) -> AttributeError:
    """The error for one name; Python's own words for names like __wrapped__, which tools look for."""
    if name.startswith("__"):
        text = f"module {module!r} has no attribute {name!r}"
    else:
        text = f"{torch_s(module)}.{name} is not in mindtorch_v2 yet (`mindtorch check` lists what a program lacks)"
    return AttributeError(text, name=name, obj=sys.modules.get(module))


def torch_s(module: str) -> str:
    """torch's name of one of our modules."""
    return "torch" + module.removeprefix(PACKAGE)
