"""torch.ops.aten: every overload by its full name."""

from __future__ import annotations

from ..core import overrides
from ..dispatch import bind, errors, road
from ..opdef.function_schema import FunctionSchema
from ..opdef.operator import Operator
from ..opdef.table import OPS


class Overload:
    """``torch.ops.aten.add.Tensor``: one overload, called as it stands."""

    namespace = "aten"

    def __init__(self, packet: OverloadPacket, op: Operator):
        self.op = op
        self.overloadpacket = packet
        self._overloadname = op.overload or "default"
        self._opname = op.name
        self._schema = FunctionSchema(op.schema)
        self.is_view = op.aliases >= 0
        self.__name__ = self.__qualname__ = f"{op.name}.{self._overloadname}"
        self.__module__ = "torch._ops.aten"

    def __call__(self, *args, **kwargs):
        found = overrides.ask(self, args, kwargs)
        if found is not overrides.NO:
            return overrides.settle(found, self, args, kwargs)
        bound = bind.bind(self.op, args, kwargs, True)
        if bound is None:
            raise errors.no_match(f"aten::{self.op.name}", [self.op], args, kwargs)
        return road.call(self.op, bound)

    def name(self) -> str:
        return f"aten::{self.op.name}{'.' + self.op.overload if self.op.overload else ''}"

    def __str__(self) -> str:
        return f"aten.{self.__name__}"

    def __repr__(self) -> str:
        return f"<OpOverload(op='aten.{self.op.name}', overload='{self._overloadname}')>"

    def __deepcopy__(self, memo: dict) -> Overload:
        return self

    def __reduce__(self):
        return _find, (self.op.name, self._overloadname)


class OverloadPacket:
    """``torch.ops.aten.add``: all overloads of a name."""

    def __init__(self, name: str):
        self.__name__ = name
        self._overloads = {op.overload or "default": Overload(self, op) for op in OPS[name]}

    def overloads(self) -> list[str]:
        return list(self._overloads)

    def __getattr__(self, name: str) -> Overload:
        found = self._overloads.get(name)
        if found is None:
            raise AttributeError(f"The underlying op of 'aten.{self.__name__}' has no overload name '{name}'")
        return found

    def __call__(self, *args, **kwargs):
        found = overrides.ask(self, args, kwargs)
        if found is not overrides.NO:
            return overrides.settle(found, self, args, kwargs)
        for numbers in (False, True):
            for overload in self._overloads.values():
                bound = bind.bind(overload.op, args, kwargs, numbers)
                if bound is not None:
                    return road.call(overload.op, bound)
        raise errors.no_match(f"aten::{self.__name__}", OPS[self.__name__], args, kwargs)


    def __str__(self) -> str:
        return f"aten.{self.__name__}"

    def __repr__(self) -> str:
        return f"<OpOverloadPacket(op='aten.{self.__name__}')>"


class Namespace:
    """``torch.ops.aten``."""

    def __getattr__(self, name: str) -> OverloadPacket:
        if name not in OPS:
            raise AttributeError(f"'_OpNamespace' 'aten' object has no attribute '{name}'")
        found = OverloadPacket(name)
        setattr(self, name, found)
        return found


aten = Namespace()

# Inner halves of ops, which torch knows by the op's own name.
_WHOLE = {"_detach": "detach", "_detach_": "detach_"}


def overload_of(op: Operator) -> Overload:
    """``torch.ops.aten.add.Tensor`` for the op it stands for."""
    return _find(_WHOLE.get(op.name, op.name), op.overload or "default")


def _find(name: str, overload: str) -> Overload:
    return getattr(getattr(aten, name), overload)
