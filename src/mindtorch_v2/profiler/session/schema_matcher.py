"""torch's SchemaMatcher: the sentences (torch's schemas) that an event's inputs fit."""

from __future__ import annotations

from functools import cache

from ...opdef.function_schema import FunctionSchema
from ...opdef.schema import Param, Schema
from ...opdef.table import OPS
from ..kineto.fields import _ExtraFields_TorchOp
from ..memory.schemas import PREFIX, fits, matching, mutable
from .op_schemas import SCHEMAS, word


class SchemaMatcher:
    """Finds the sentence (torch's schema) that an event's inputs fit."""

    @classmethod
    def inputs_are_mutable(cls, t: _ExtraFields_TorchOp) -> tuple[bool | None, ...]:
        """Per input whether any overload that fits writes to it; None if none fits."""
        return mutable(matching(SCHEMAS.get(t.name, ()), tuple(map(type, t.inputs))), len(t.inputs))

    @classmethod
    def match_schemas(cls, t: _ExtraFields_TorchOp) -> tuple[FunctionSchema, ...]:
        """All overloads that take these inputs."""
        return _shown(t.name, tuple(map(type, t.inputs)))

    @classmethod
    def _types_match(cls, observed, schema_type: Param) -> bool:
        return fits(type(observed), word(schema_type))

    @staticmethod
    def lookup_schemas(name: str) -> tuple[FunctionSchema, ...] | None:
        """The overloads of an op; None for what is no op."""
        return tuple(map(FunctionSchema, _overloads(name))) if "::" in name else None


def _overloads(name: str) -> list[Schema]:
    known = OPS.get(name.removeprefix(PREFIX), ()) if name.startswith(PREFIX) else ()
    return [op.schema for op in known]


@cache
def _shown(name: str, observed: tuple[type, ...]) -> tuple[FunctionSchema, ...]:
    return tuple(FunctionSchema(schema) for schema in _overloads(name)
                 if matching((tuple(map(word, schema.params)),), observed))
