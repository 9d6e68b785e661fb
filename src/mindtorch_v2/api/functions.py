"""``torch.name(...)`` for rooms below the front door: the public functions, each looked up once, when first used."""

from __future__ import annotations

from ..ops.python.construct import as_tensor, tensor
from .install import FUNCTIONS


class Functions:
    """A namespace over the table of functions, so that optim/ and distributions/ never import the front door."""

    as_tensor = staticmethod(as_tensor)
    tensor = staticmethod(tensor)

    def __getattr__(self, name: str):
        if name not in FUNCTIONS:
            raise AttributeError(f"ops/ offers no function {name!r}")
        setattr(self, name, FUNCTIONS[name])
        return FUNCTIONS[name]


torch = Functions()
