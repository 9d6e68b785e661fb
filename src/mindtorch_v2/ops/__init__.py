"""One op = one class; folders by subject. As a module this is torch.ops: namespaces of ops by their full names."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from os.path import dirname

from .._submodules import import_all
from ..core.slots import Work


def declare_all() -> None:
    """Import every file below: importing it declares its ops."""
    for _ in import_all(__name__, dirname(__file__)):
        pass
    import_module(f"{__name__}.derived_forms").declare_all()


loaded_libraries: set[str] = set()


def load_library(path: str) -> None:
    """Declare the ops of a known library; others are refused, which packages that bring one along are prepared for."""
    Work.load_library(str(path))
    loaded_libraries.add(str(path))


def __getattr__(name: str) -> object:
    """``torch.ops.<namespace>``, for namespaces that torch.library made or may yet make; folders here stay folders."""
    if name.startswith("__") or find_spec(f"{__name__}.{name}") is not None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "higher_order":
        import_module(f"{__package__.rpartition('.')[0]}._higher_order_ops")  # declares them
    namespace = globals()[name] = Work.namespace_of(name)
    return namespace
