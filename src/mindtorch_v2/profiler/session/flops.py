"""Floating-point operations, counted once per distinct op and inputs by the op's own ``flops`` facet."""

from __future__ import annotations

import inspect
import math
from functools import cache

import numpy as np

from ...opdef.operator import Operator
from ...opdef.table import OPS
from ...record.names import inputs
from ..views.inputs import is_tensor


class StandIn:
    """A tensor of which only the shape is known; its array has that shape and no memory."""

    def __init__(self, shape: tuple[int, ...]):
        self.shape = shape
        self.ndim = len(shape)
        self.array = np.broadcast_to(np.float32(0), shape)

    def numel(self) -> int:
        return math.prod(self.shape)

    def dim(self) -> int:
        return self.ndim

    def size(self, dim: int | None = None):
        return self.shape if dim is None else self.shape[dim]


def flops_of(name: np.ndarray, described: np.ndarray) -> np.ndarray:
    """Per row the operations it stands for; 0 where no op of that name counts them."""
    counts = np.zeros(len(name), np.int64)
    counting = _counting()
    rows = np.flatnonzero(np.isin(name, list(counting)) & (described >= 0))
    if not len(rows):
        return counts
    calls, place = np.unique(np.stack([name[rows], described[rows]]), axis=1, return_inverse=True)
    counts[rows] = np.array([_count(counting[n], i) for n, i in calls.T.tolist()], np.int64)[place.ravel()]
    return counts


def _counting() -> dict[int, Operator]:
    return {op.name_id: op for overloads in OPS.values() for op in overloads if op.flops is not None}


def _count(op: Operator, number: int) -> int:
    """What the facet says of these inputs, as far as it takes them (an ``out`` stands behind what it counts)."""
    given = [_stand_in(value) for value in inputs.values[number]]
    try:
        return int(op.flops(*given[:_taken(op.flops)]))
    except (AttributeError, LookupError, TypeError, ValueError):
        return 0  # inputs of a kind the count says nothing about, as torch leaves them at 0


@cache
def _taken(facet) -> int | None:
    """How many inputs a facet takes; None for all."""
    parameters = inspect.signature(facet).parameters.values()
    return None if any(p.kind is p.VAR_POSITIONAL for p in parameters) else len(parameters)


def _stand_in(value):
    """A described input as something a facet can count with."""
    if is_tensor(value):
        return StandIn(value[0])
    if isinstance(value, tuple):
        return [_stand_in(v) for v in value[1:]] if value[0] == "[]" else value[1]
    return value
