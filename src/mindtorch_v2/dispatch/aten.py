"""``aten.name(...)``: how ops call each other."""

from __future__ import annotations

from ..opdef.table import OPS
from .inner_calls import Inner


class Aten:
    """A namespace of all ops; a name is looked up in the table of ops once."""

    def __getattr__(self, name: str) -> Inner:
        if name not in OPS:
            raise AttributeError(f"there is no op {name!r}; ops/ declares {len(OPS)} names")
        inner = Inner(name, OPS[name])
        setattr(self, name, inner)
        return inner


aten = Aten()
