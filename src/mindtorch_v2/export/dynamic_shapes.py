"""torch.export.dynamic_shapes: names for sizes that may change between calls."""

from __future__ import annotations

from ..core.missing_name import missing as _missing


class _DimHint:
    """What is to become of a size that has no name."""

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return f"DimHint({self.name})"


class Dim:
    """A size with a name and bounds."""

    AUTO, DYNAMIC, STATIC = _DimHint("AUTO"), _DimHint("DYNAMIC"), _DimHint("STATIC")

    def __init__(self, name: str, *, min: int | None = None, max: int | None = None):
        self.__name__ = name
        self.min, self.max = 0 if min is None else min, float("inf") if max is None else max
        if self.max <= self.min:
            raise AssertionError(f"Cannot create Dim with inconsistent min={min}, max={max}")
        if not name.isidentifier():
            raise AssertionError(f"Dim name must be a valid identifier, got {name}")

    def __repr__(self) -> str:
        lowest = f", min={self.min}" if self.min != 2 else ""  # which sizes are anyway, to a compiler
        highest = f", max={self.max}" if self.max != float("inf") else ""
        return f"Dim('{self.__name__}'{lowest}{highest})"


def dims(*names: str, min: int | None = None, max: int | None = None) -> tuple[Dim, ...]:
    """Several sizes with the same bounds."""
    return tuple(Dim(name, min=min, max=max) for name in names)


__getattr__ = _missing(__name__)
