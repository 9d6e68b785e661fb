"""What a module offers, as plain data: names, signatures, members, fields. Asked of torch and of ours alike."""

from __future__ import annotations

import dataclasses
import inspect
import re
import types

OPERATORS = {"__init__", "__enter__", "__exit__", "__call__", "__iadd__"}


def names_of(module: types.ModuleType, package: str) -> list[str]:
    """The names a module makes itself or takes from its package, without those it imports from elsewhere."""
    return sorted(name for name, value in vars(module).items() if is_own(name, value, package))


def is_own(name: str, value, package: str) -> bool:
    if name.startswith("__") or isinstance(value, types.ModuleType) or name == "TYPE_CHECKING":
        return False
    home = getattr(value, "__module__", None)
    if home is None:
        return name.isupper() or isinstance(value, (bool, str, set, dict))
    if type(value).__module__.startswith("typing"):
        return False
    if home.startswith(f"{package}._C"):  # torch's compiled half: its classes are part of the surface
        return isinstance(value, type) or not name.startswith("_")
    return home.startswith((f"{package}.profiler", f"{package}.autograd.profiler"))


def module_surface(module: types.ModuleType, package: str) -> dict:
    """All own names of a module, each with what it is; ``__all__`` under its name."""
    found = {name: described(getattr(module, name)) for name in names_of(module, package)}
    return found | {"__all__": sorted(getattr(module, "__all__", []))}


def described(value) -> dict:
    """A class by its members, a function by its parameters, anything else by its type."""
    if isinstance(value, type):
        members = getattr(value, "__members__", None)
        if members is not None:
            return {"enum": sorted([name, int(getattr(m, "value", m))] for name, m in members.items())}
        return class_surface(value)
    if callable(value):
        return {"call": parameters(value)}
    return {"value": value if isinstance(value, (bool, str)) else type(value).__name__}


def class_surface(cls: type) -> dict:
    """Members that a class or its bases in the package define."""
    members: dict = {}
    for base in reversed(cls.__mro__):
        if base.__module__.split(".")[0] in ("builtins", "abc", "collections", "contextlib", "json", "typing"):
            continue
        for name, value in vars(base).items():
            if name in OPERATORS or not name.startswith("_"):
                members[name] = member(value) if name != "__exit__" else "method"  # all take what Python gives
    fields = [f.name for f in dataclasses.fields(cls)] if dataclasses.is_dataclass(cls) else []
    return {"class": {k: members[k] for k in sorted(members)}, "fields": list(getattr(cls, "_fields", fields))}


def member(value):
    if isinstance(value, types.WrapperDescriptorType):
        return "compiled"
    if isinstance(value, (classmethod, staticmethod)):
        return [type(value).__name__, parameters(value.__func__)]
    if callable(value):
        return ["method", parameters(value)]
    return "attribute"


def parameters(function) -> list | None:
    """Name, kind and default of each parameter, without types; None where nothing can be asked."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return compiled_parameters(function)
    return [[p.name, p.kind.name, None if p.default is p.empty else default_text(p.default)] for p in found]


def default_text(value) -> str:
    """A default as it is written; a dataclass makes its lists anew."""
    return "[]" if repr(value) == "<factory>" else repr(value)


def compiled_parameters(function) -> list | None:
    """The same from the first line that torch's compiled functions say of themselves."""
    line = (function.__doc__ or "").partition("\n")[0]
    text = re.match(r"\w+\((.*)\) -> ", line)
    if text is None:
        return None
    found = []
    for part in re.split(r", (?=\w+: )", text.group(1)) if text.group(1) else []:
        name, _, kind = part.partition(": ")
        found.append([name, "POSITIONAL_OR_KEYWORD", kind.partition(" = ")[2] or None])
    return found
