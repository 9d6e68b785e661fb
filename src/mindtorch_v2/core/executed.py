"""Values of a call as an execution trace keeps them: who they were and how they lay, never the values themselves."""

from __future__ import annotations

import math

from ..record import executed
from ..record.executed import Named, TensorSeen
from ..record.plain_text import name_of_type
from .device import CPU, device
from .plain_values import DEPTH, items_of, plain
from .tensor import Tensor, offset_of, shape_of, strides_of

CPU_NAME = str(CPU)


def note_given(row: int, args) -> None:
    """Keep what went into a call."""
    executed.given[row] = tuple(_seen(a) for a in args)


def note_values(row: int, values) -> None:
    """Keep the values of a range, whose tuples are tuples; an op's are lists, however they were written."""
    executed.given[row] = tuple(tuple(map(_seen, items_of(v))) if issubclass(type(v), tuple) else _seen(v)
                                for v in values)


def note_returned(row: int, result) -> None:
    """Keep what came out; several results stand side by side, a list of tensors is one."""
    executed.returned[row] = tuple(_seen(r) for r in (result if isinstance(result, tuple) else (result,)))


def _seen(value, depth: int = 0):
    kind = type(value)
    if issubclass(kind, Tensor):
        shape = shape_of(value)
        return TensorSeen(id(value), value._mt_storage.address, offset_of(value), math.prod(shape),
                          value.dtype.itemsize, CPU_NAME, shape, strides_of(value), value.dtype.name)
    if issubclass(kind, (list, tuple)):
        return [_seen(item, depth + 1) for item in items_of(value)] if depth < DEPTH else []
    if issubclass(kind, complex):
        return Named("ComplexDouble", "<ComplexDouble>")
    if kind is device:
        return Named("Device", str(value))
    described = plain(value, _seen, depth)
    if described == ("code", None):
        return Named(name_of_type(kind), f"<{name_of_type(kind)}>")
    return described[1] if type(described) is tuple else described
