"""What a module answers when it is asked for a name of torch that is not there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NoReturn

_PACKAGE = __name__.partition(".")[0]


def missing(module: str) -> Callable[[str], NoReturn]:
    """A module's ``__getattr__``: it says what is missing where, and hasattr() and try work as ever."""
    def __getattr__(name: str) -> NoReturn:  # noqa: N807  Python's own name for it
        raise missing_name(module, name)
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
    return "torch" + module.removeprefix(_PACKAGE)
