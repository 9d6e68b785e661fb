"""Sums and spreads by name, and by shapes and stacks where they are asked for: one row per group of visible events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..table.columns import GARBAGE_COLLECTION, OF_DEVICE, OF_MEMORY, PYTHON_SCOPE, USER_SCOPE
from ..table.event_table import EventTable
from . import inputs
from .cpu_time import IDLE, UNKNOWN, cpu_ns, self_cpu_ns
from .distribution import NOTHING, Spread, spreads
from .steps import Step, step_of
from .visible_events import VisibleEvents
from .waiting import waits

KINDS = ("op", "range", "python", "device", "memory")
OP, RANGE, PYTHON, DEVICE, MEMORY = range(5)
NO_SHAPES = -1
LONG_NS = 1_000_000  # processor time is read every tenth of that


class OpRow(NamedTuple):
    """One group. ``calls`` is how the time of its calls is spread, ``steps`` how its own time is over steps; ``waits``
    says that it only waits for something."""

    name: str
    kind: str
    shapes: str
    stack: int
    calls: Spread
    steps: Spread
    self_ns: int
    total_ns: int
    self_bytes: int
    total_bytes: int
    self_device_ns: int
    total_device_ns: int
    flops: int
    self_cpu_ns: int  # on a processor; UNKNOWN where nobody asked for it
    waits: bool

    @property
    def count(self) -> int:
        return self.calls.count

    @property
    def own_ns(self) -> int:
        """Its own time, where it ran; what it launched on a device is not in it."""
        return self.self_device_ns if self.kind == KINDS[DEVICE] else self.self_ns


def op_table(visible: VisibleEvents, of_steps: Sequence[Step], by_shapes: bool = False,
             by_stack: bool = False) -> list[OpRow]:
    """All groups, those that work first and of them the longest by its own time."""
    if not len(visible):
        return []
    groups, first, n_groups = grouped(visible, by_shapes, by_stack)
    table, words, kind = visible.table, visible.keys[0], row_kinds(visible.table)
    lasted_ns = table["end_ns"] - table["start_ns"]
    of_calls = spreads(lasted_ns, groups, n_groups)
    over_steps = _over_steps(visible, of_steps, groups, n_groups)
    ran_ns = self_cpu_ns(table, cpu_ns(table))
    columns = (visible.self_ns, visible.total_ns, visible.self_bytes, visible.total_bytes, visible.device.self_ns,
               visible.device.total_ns, table["flops"], np.where(ran_ns == UNKNOWN, 0, ran_ns))
    is_timed = table.cpu_times.n_rows > 0
    summed = np.zeros((len(columns), n_groups), np.int64)
    for sums, cells in zip(summed, columns):
        np.add.at(sums, groups, cells)
    number, shapes = visible.keys[1], shape_texts(table)
    rows = [OpRow(words[number[row]], KINDS[kind[row]], shapes[1][shapes[0][row]] if by_shapes else "",
                  int(visible.stack[row]) if by_stack else 0, calls, steps, *sums, ran if is_timed else UNKNOWN,
                  bool(kind[row] == PYTHON and (waits(words[number[row]]) or is_timed and _is_idle(sums[0], ran))))
            for row, calls, steps, (*sums, ran) in zip(first.tolist(), of_calls, over_steps, summed.T.tolist())]
    return sorted(rows, key=lambda row: (row.waits, -row.own_ns, row.name, row.shapes, row.stack))


def _is_idle(self_ns: int, self_cpu_ns: int) -> bool:
    """Whether a function that takes long hardly runs."""
    return self_ns >= LONG_NS and self_cpu_ns < IDLE * self_ns


def own_ns(visible: VisibleEvents) -> np.ndarray:
    """The own time of every visible row: on the processor; of what ran on a device, there."""
    is_device = (visible.table["flags"] & OF_DEVICE) > 0
    return np.where(is_device, visible.device.self_ns, visible.self_ns)


def grouped(visible: VisibleEvents, by_shapes: bool, by_stack: bool) -> tuple[np.ndarray, np.ndarray, int]:
    """The group of every visible row, the first row of each group, and how many there are."""
    keys = visible.keys[1].astype(np.int64) * len(KINDS) + row_kinds(visible.table)
    for is_wanted, cells in ((by_shapes, shape_texts(visible.table)[0] + 1), (by_stack, visible.stack)):
        if is_wanted:
            keys = np.unique(keys, return_inverse=True)[1].ravel() * (int(cells.max(initial=0)) + 1) + cells
    _, first, groups = np.unique(keys, return_index=True, return_inverse=True)
    return groups.ravel(), first, len(first)


def row_kinds(table: EventTable) -> np.ndarray:
    """What every visible row is, as a place in KINDS."""
    scope, flags = table["scope"], table["flags"]
    kind = np.where(scope == USER_SCOPE, RANGE, np.where((scope >= PYTHON_SCOPE) & (scope <= GARBAGE_COLLECTION),
                                                         PYTHON, OP))
    return np.where(flags & OF_DEVICE, DEVICE, np.where(flags & OF_MEMORY, MEMORY, kind))


def shape_texts(table: EventTable) -> tuple[np.ndarray, list[str]]:
    """The shapes of every row's inputs as a number, NO_SHAPES for none, and the texts of these numbers."""
    used, at = np.unique(table["inputs"], return_inverse=True)
    texts: dict[str, int] = {}
    numbers = [texts.setdefault(shape_text(table.inputs[number]), len(texts)) if number >= 0 else NO_SHAPES
               for number in used.tolist()]
    return np.array(numbers, np.int64)[at.ravel()], [*texts, ""]


def shape_text(described: tuple) -> str:
    """Shapes as torch's tables show them, without inputs that have none."""
    return "[" + ", ".join(str(shape) for shape in inputs.structured(described) if shape) + "]"


def _over_steps(visible: VisibleEvents, of_steps: Sequence[Step], groups: np.ndarray, n_groups: int) -> list[Spread]:
    """How the own time of groups is spread over steps, those without any included."""
    n_steps = len(of_steps)
    if not n_steps:
        return [NOTHING] * n_groups
    step = step_of(list(of_steps), visible.table["start_ns"])
    inside = step >= 0
    sums = np.zeros((n_groups, n_steps), np.int64)
    np.add.at(sums, (groups[inside], step[inside]), own_ns(visible)[inside])
    return spreads(sums.ravel(), np.repeat(np.arange(n_groups), n_steps), n_groups)
