"""torch's names on our classes and functions: by those libraries tell torch's from others, and pickles call them."""

from __future__ import annotations

import sys
from types import FunctionType, ModuleType

from ..core.missing_name import missing
from ..core.overrides import Guarded
from ..core.strided import call_class
from ..core.torch_names import PACKAGE, place_of
from .addresses import ADDRESSES

# Rooms of the engine, of whose members programs meet only those that torch has elsewhere.
_INNER = frozenset(("cli", "devices", "dispatch", "opdef", "ops", "record"))
# Rooms whose classes programs meet, but not their functions.
_OWN_FUNCTIONS = frozenset(("api", "core"))
# Tables of members that no module has as its own.
_TABLES = {"api.packets": "ENTERED", "opdef.results": "NAMED"}
_CLASSES_AND_FUNCTIONS = (type, FunctionType, type(call_class), Guarded)


def take_torch_name(module: ModuleType) -> None:
    """Have the members of mindtorch_v2.x.y say torch.x.y, where the module is found from now on as well.

    To import it under that name would put it in the place of what its package shows (torch.autograd.gradcheck).
    """
    rest = module.__name__.partition(".")[2]
    if rest and rest not in ADDRESSES:
        sys.modules.setdefault(f"torch.{rest}", module)
    if room_of(module.__name__) not in _INNER:
        vars(module).setdefault("__getattr__", missing(module.__name__))
    table = vars(module).get(_TABLES.get(rest), {})
    for value in [*vars(module).values(), *table.values()]:
        if isinstance(value, _CLASSES_AND_FUNCTIONS) and is_ours(value.__module__):
            address = _torch_address(value)
            if address is not None:
                _rename(value, address)
            elif not rest:
                _rename(value, "torch")  # kept in a room of the engine, and shown by the package itself


def is_ours(name: object) -> bool:
    """Whether a module's name is of this package."""
    return isinstance(name, str) and name.partition(".")[0] == PACKAGE


def room_of(name: str) -> str:
    """The first folder below the package."""
    return name.partition(".")[2].partition(".")[0]


def _torch_address(member: type | FunctionType) -> str | None:
    """The module that a class or function is to say, or None if it keeps ours."""
    path = member.__module__.partition(".")[2]
    place = place_of(path, member.__qualname__)
    if place is None:
        room = room_of(member.__module__)
        if room in _INNER or (room in _OWN_FUNCTIONS and not isinstance(member, type)):
            return None
        place = path
    return f"torch.{place}" if place else "torch"


def _rename(member: type | FunctionType, module: str) -> None:
    try:
        member.__module__ = module
    except TypeError:  # a compiled class: its name is in C
        call_class(member, f"{module}.{member.__name__}")
