"""torch's names on our classes: by those libraries tell torch's layers, tensors and types from others."""

from __future__ import annotations

import sys
from types import ModuleType

from ..core.missing_name import missing
from ..core.strided import call_class
from .addresses import ADDRESSES

PACKAGE = __name__.partition(".")[0]
# Rooms of the engine, whose classes no program meets.
_INNER = frozenset(("cli", "devices", "dispatch", "opdef", "ops", "record"))


def take_torch_name(module: ModuleType) -> None:
    """Have the classes of mindtorch_v2.x.y say torch.x.y, where the module is found from now on as well.

    To import it under that name would put it in the place of what its package shows (torch.autograd.gradcheck).
    """
    rest = module.__name__.partition(".")[2]
    if rest and rest not in ADDRESSES:
        sys.modules.setdefault(f"torch.{rest}", module)
    if room_of(module.__name__) in _INNER:
        return
    vars(module).setdefault("__getattr__", missing(module.__name__))
    for value in list(vars(module).values()):
        if isinstance(value, type) and is_ours(value.__module__) and room_of(value.__module__) not in _INNER:
            _rename(value, f"torch{value.__module__.removeprefix(PACKAGE)}")


def is_ours(name: object) -> bool:
    """Whether a module's name is of this package."""
    return isinstance(name, str) and name.partition(".")[0] == PACKAGE


def room_of(name: str) -> str:
    """The first folder below the package."""
    return name.partition(".")[2].partition(".")[0]


def _rename(cls: type, module: str) -> None:
    try:
        cls.__module__ = module
    except TypeError:  # compiled: its name is in C
        call_class(cls, f"{module}.{cls.__name__}")
