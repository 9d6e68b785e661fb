"""``torch.name(...)`` for the optimisers: the public functions, each looked up once, when first used."""

from __future__ import annotations

from ..api.install import FUNCTIONS
from ..ops.python.construct import as_tensor, tensor


class Functions:
    """A namespace over the table of functions; below the front door, so that optim/ never imports it."""

    as_tensor = staticmethod(as_tensor)
    tensor = staticmethod(tensor)

    def __getattr__(self, name: str):
        if name not in FUNCTIONS:
            raise AttributeError(f"ops/ offers no function {name!r}")
        setattr(self, name, FUNCTIONS[name])
        return FUNCTIONS[name]


torch = Functions()
