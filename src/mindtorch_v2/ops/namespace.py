"""torch.ops.aten: every overload by its full name."""

from __future__ import annotations

from ..dispatch import bind, errors, road
from ..opdef.operator import Operator
from ..opdef.table import OPS


class Overload:
    """``torch.ops.aten.add.Tensor``: one overload, called as it stands."""

    def __init__(self, op: Operator):
        self.op = op
        self._schema = op.schema.sentence
        self.__name__ = f"{op.name}.{op.overload or 'default'}"

    def __call__(self, *args, **kwargs):
        bound = bind.bind(self.op, args, kwargs, False)
        if bound is None:
            raise errors.no_match(f"aten::{self.op.name}", [self.op], args, kwargs)
        return road.call(self.op, bound)

    def __repr__(self) -> str:
        return f"<OpOverload(op='aten.{self.op.name}', overload='{self.op.overload or 'default'}')>"


class OverloadPacket:
    """``torch.ops.aten.add``: all overloads of a name."""

    def __init__(self, name: str):
        self.__name__ = name
        self._overloads = {op.overload or "default": Overload(op) for op in OPS[name]}

    def overloads(self) -> list[str]:
        return list(self._overloads)

    def __getattr__(self, name: str) -> Overload:
        found = self._overloads.get(name)
        if found is None:
            raise AttributeError(f"The underlying op of 'aten.{self.__name__}' has no overload name '{name}'")
        return found

    def __call__(self, *args, **kwargs):
        for overload in self._overloads.values():
            bound = bind.bind(overload.op, args, kwargs, False)
            if bound is not None:
                return road.call(overload.op, bound)
        raise errors.no_match(f"aten::{self.__name__}", OPS[self.__name__], args, kwargs)


class Namespace:
    """``torch.ops.aten``."""

    def __getattr__(self, name: str) -> OverloadPacket:
        if name not in OPS:
            raise AttributeError(f"'_OpNamespace' 'aten' object has no attribute '{name}'")
        found = OverloadPacket(name)
        setattr(self, name, found)
        return found


aten = Namespace()
