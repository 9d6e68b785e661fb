"""How a datapipe is shown: its class and what it was made with."""

from __future__ import annotations

import inspect
from types import FunctionType

from ....record.plain_text import name_of_type, shortened


def _cut(name: str, short: bool) -> str:
    return name.replace("IterDataPipe", "").replace("MapDataPipe", "") if short else name


def _shown(value, short: bool) -> str:
    """A value as repr() shows it, with pipes and functions by name, inside containers too."""
    if hasattr(type(value), "register_datapipe_as_function"):
        return _cut(type(value).__qualname__, short)
    if isinstance(value, FunctionType):
        return value.__name__
    if type(value) in (list, tuple):
        inside = ", ".join(_shown(item, short) for item in value)
        return f"[{inside}]" if type(value) is list else f"({inside}{',' if len(value) == 1 else ''})"
    if type(value) is dict:
        return "{" + ", ".join(f"{key!r}: {_shown(item, short)}" for key, item in value.items()) + "}"
    return repr(value)


def describe(pipe, short: bool = False) -> str:
    """``Mapper(datapipe=IterableWrapper, fn=<lambda>)``: the arguments it keeps under their own names, sorted."""
    names = sorted(inspect.signature(type(pipe).__init__).parameters)
    kept = vars(pipe)
    given = ", ".join(f"{name}={_shown(kept[name], short)}" for name in names if name in kept)
    return f"{_cut(type(pipe).__name__, short)}({given})"


def short_name(pipe) -> str:
    """The name of a pipe's rows in a profile; its class alone, where what it was made with cannot be shown."""
    try:
        return shortened(describe(pipe, short=True))
    except Exception:
        return _cut(name_of_type(type(pipe)), short=True)
