"""What the name of a module's call says, read."""

from __future__ import annotations

from typing import NamedTuple

SEPARATOR, FIELDS = "\x1f", 4


class ModuleWord(NamedTuple):
    """Class, trained parameters of its own, the module that was called first, and the path from there."""

    kind: str
    parameters: int
    root: str
    path: str

    @classmethod
    def read(cls, text: str) -> ModuleWord:
        """The fields of a name; a name of another form is that of a module without a path."""
        kind, parameters, root, path = (text.split(SEPARATOR, FIELDS - 1) + [""] * FIELDS)[:FIELDS]
        return cls(kind, int(parameters), root, path) if parameters.isdecimal() else cls(text, 0, text, "")
