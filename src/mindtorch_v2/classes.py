"""torch.classes: classes that libraries register in C++, of which none can be loaded here."""

from __future__ import annotations

from .ops import load_library, loaded_libraries

__all__ = ["load_library", "loaded_libraries"]


class _Namespace:
    """``torch.classes.<namespace>``: every class is missing."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        raise RuntimeError(f"Tried to instantiate class '{self._name}.{name}', but it does not exist! Ensure that it "
                           "is registered via torch::class_")


def __getattr__(name: str) -> _Namespace:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _Namespace(name)
