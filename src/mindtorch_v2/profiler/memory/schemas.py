"""Which overload an event was, judged by the inputs it recorded, and which of them it writes to."""

from __future__ import annotations

from functools import cache
from types import NoneType

from ...opdef import schema as kinds
from ...opdef.function_schema import FunctionSchema
from ...opdef.schema import Param, Schema
from ...opdef.table import OPS
from ..kineto.fields import _ExtraFields_TorchOp, _TensorMetadata

PREFIX = "aten::"
# What a recorded input can be for each kind of parameter; lists of numbers and texts are recorded as None.
_NUMBERS = (int, float, complex, bool)
TAKES = {
    kinds.TENSOR: (_TensorMetadata,), kinds.TENSORS: (list,), kinds.OPTIONAL_TENSORS: (list, NoneType),
    kinds.SCALAR: _NUMBERS, kinds.INT: (int,), kinds.FLOAT: (float, int), kinds.BOOL: (bool,),
    kinds.DTYPE: (int,), kinds.LAYOUT: (int,), kinds.FORMAT: (int,), kinds.DEVICE: (int, NoneType),
}


class SchemaMatcher:
    """Finds the sentence (torch's schema) that an event's inputs fit."""

    @classmethod
    def inputs_are_mutable(cls, t: _ExtraFields_TorchOp) -> tuple[bool | None, ...]:
        """Per input whether any overload that fits writes to it; None if none fits."""
        return mutable(t.name, tuple(map(type, t.inputs)))

    @classmethod
    def match_schemas(cls, t: _ExtraFields_TorchOp) -> tuple[FunctionSchema, ...]:
        """All overloads that take these inputs."""
        return _shown(t.name, tuple(map(type, t.inputs)))

    @classmethod
    def _types_match(cls, observed, schema_type: Param) -> bool:
        return _fits(type(observed), schema_type)

    @staticmethod
    def lookup_schemas(name: str) -> tuple[FunctionSchema, ...] | None:
        """The overloads of an op; None for what is no op."""
        return tuple(map(FunctionSchema, _overloads(name))) if "::" in name else None


def _overloads(name: str) -> list[Schema]:
    known = OPS.get(name.removeprefix(PREFIX), ()) if name.startswith(PREFIX) else ()
    return [op.schema for op in known]


@cache
def matching(name: str, observed: tuple[type, ...]) -> tuple[Schema, ...]:
    """The overloads of an op that take inputs of these types."""
    return tuple(s for s in _overloads(name)
                 if len(s.params) == len(observed) and all(map(_fits, observed, s.params)))


@cache
def mutable(name: str, observed: tuple[type, ...]) -> tuple[bool | None, ...]:
    """Per input whether any of them writes to it; None if there is none."""
    fitting = matching(name, observed)
    return tuple(any(s.params[i].alias.endswith("!") for s in fitting) if fitting else None
                 for i in range(len(observed)))


@cache
def _shown(name: str, observed: tuple[type, ...]) -> tuple[FunctionSchema, ...]:
    return tuple(map(FunctionSchema, matching(name, observed)))


def _fits(observed: type, param: Param) -> bool:
    taken = TAKES.get(param.kind)
    if taken is None or (observed is NoneType and param.optional):
        return observed is NoneType
    return issubclass(observed, taken) and not (observed is bool and bool not in taken and int not in taken)
