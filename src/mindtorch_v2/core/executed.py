"""Values of a call as an execution trace keeps them: who they were and how they lay, never the values themselves."""

from __future__ import annotations

import math

from ..record import executed
from ..record.executed import Named, TensorSeen
from .device import device
from .tensor import Tensor


def note_given(row: int, args) -> None:
    """Keep what went into a call."""
    executed.given[row] = tuple(_seen(a) for a in args)


def note_values(row: int, values) -> None:
    """Keep the values of a range, whose tuples are tuples; an op's are lists, however they were written."""
    executed.given[row] = tuple(tuple(map(_seen, v)) if isinstance(v, tuple) else _seen(v) for v in values)


def note_returned(row: int, result) -> None:
    """Keep what came out; several results stand side by side, a list of tensors is one."""
    executed.returned[row] = tuple(_seen(r) for r in (result if isinstance(result, tuple) else (result,)))


def _seen(value):
    if isinstance(value, Tensor):
        return TensorSeen(id(value), value._mt_storage.address, value.storage_offset(), math.prod(value.shape),
                          value.dtype.itemsize, str(value.device), tuple(value.shape), tuple(value.stride()),
                          value.dtype.name)
    if isinstance(value, (list, tuple)):
        return [_seen(v) for v in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, complex):
        return Named("ComplexDouble", "<ComplexDouble>")
    if isinstance(value, device):
        return Named("Device", str(value))
    code = getattr(value, "code", None)
    return code if code is not None else Named(type(value).__name__, f"<{type(value).__name__}>")
