"""``aten.name(...)``: how ops call each other, with C++'s overloads (a number is a Scalar, not a tensor)."""

from __future__ import annotations

from ..opdef.table import OPS
from .packet import Packet


class Aten:
    """A namespace of packets; a name is looked up in the table of ops once."""

    def __getattr__(self, name: str) -> Packet:
        if name not in OPS:
            raise AttributeError(f"there is no op {name!r}; ops/ declares {len(OPS)} names")
        found = Packet(name, OPS[name], False)
        setattr(self, name, found)
        return found


aten = Aten()
