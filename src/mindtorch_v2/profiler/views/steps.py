"""Steps of training, and what each spends its time on: waiting for data, forward, backward, the optimizer, the rest."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..table.event_table import EventTable
from . import intervals
from .distribution import Spread, spread
from .evaluation import evaluated_until
from .row_kinds import STEP, RowKinds
from .step_ends import step_ends

PHASES = ("data", "forward", "backward", "optimizer", "other")
# What rows are, in the order in which instants are given away.
DATA, OPTIMIZER, BACKWARD, FORWARD, UNKNOWN = range(5)


class Bounds(NamedTuple):
    """One step before anybody asks what it is spent on."""

    name: str
    thread: int
    start_ns: int
    end_ns: int


class Step(NamedTuple):
    """One step: its name and thread, when it was, and nanoseconds by phase, which add up to its length."""

    name: str
    thread: int
    start_ns: int
    end_ns: int
    data: int
    forward: int
    backward: int
    optimizer: int
    other: int

    @property
    def wall(self) -> int:
        return self.end_ns - self.start_ns


def steps(table: EventTable, kinds: RowKinds | None = None) -> list[Step]:
    """The steps that ``step()`` marked; else those that optimizers end; else all of the profile as one."""
    kinds = kinds or RowKinds(table)
    bounds = _bounds(table, kinds)
    phases = {thread: Phases(table, kinds, thread) for thread in {step.thread for step in bounds}}
    return [Step(*step, *phases[step.thread].ns(step.start_ns, step.end_ns)) for step in bounds]


def summary(of_steps: list[Step]) -> dict[str, Spread]:
    """How the length of steps, and of each phase, is spread over steps."""
    return {phase: spread(np.array([getattr(step, phase) for step in of_steps], np.int64))
            for phase in ("wall", *PHASES)}


def step_of(of_steps: list[Step] | list[Bounds], time_ns: np.ndarray) -> np.ndarray:
    """The number of the step that each moment lies in, or -1; steps of several threads may overlap: the last begun."""
    if not of_steps:
        return np.full(len(time_ns), -1)
    starts, ends = (np.array([getattr(step, side) for step in of_steps], np.int64) for side in ("start_ns", "end_ns"))
    order = np.argsort(starts, kind="stable")
    at = np.searchsorted(starts[order], time_ns, side="right") - 1
    return np.where((at >= 0) & (time_ns < ends[order][at]), order[at], -1)


def _bounds(table: EventTable, kinds: RowKinds) -> list[Bounds]:
    marked = np.flatnonzero(kinds.is_step)
    if len(marked):
        rows = marked[np.argsort(table["start_ns"][marked], kind="stable")].tolist()
        return _without_surroundings(table, kinds, [
            Bounds(table.names[table["name"][row]][0].removeprefix(STEP), int(table["thread"][row]),
                   int(table["start_ns"][row]), int(table["end_ns"][row])) for row in rows])
    ended = step_ends(table, kinds)
    if len(ended):
        thread, ends = int(table["thread"][ended[0]]), table["end_ns"][ended].tolist()
        starts = [_begin_ns(table, kinds, thread), *ends]
        evaluated = evaluated_until(table, kinds, thread, ends) if kinds.is_backward.any() else [0] * len(ends)
        return [Bounds(str(number), thread, max(start_ns, until_ns), end_ns)
                for number, (start_ns, until_ns, end_ns) in enumerate(zip(starts, evaluated, ends))]
    return [Bounds("all", _busiest(table), table.window.start_ns, table.window.end_ns)] if len(table) else []


def _without_surroundings(table: EventTable, kinds: RowKinds, bounds: list[Bounds]) -> list[Bounds]:
    """Marked steps without what comes before and behind the loop: step 0 is open from the moment a profile starts, and
    the call of step() in the last turn opens one that only stop() ends."""
    if len(bounds) < 2:
        return bounds
    is_trained = kinds.is_optimizer.any()
    told = kinds.is_optimizer if is_trained else kinds.is_outermost
    busy = np.unique(step_of(bounds, table["start_ns"][told]))
    if busy[busy >= 0].tolist() == list(range(len(bounds) - 1)):
        bounds = bounds[:-1]
    first = bounds[0]
    if is_trained and first.name == "0":
        begin_ns = _begin_ns(table, kinds, first.thread)
        bounds = [first._replace(start_ns=min(max(begin_ns, first.start_ns), first.end_ns)), *bounds[1:]]
    return bounds


def _begin_ns(table: EventTable, kinds: RowKinds, thread: int) -> int:
    """When the first step begins: with what belongs to training, behind imports and the making of a model."""
    trains = kinds.is_trained_through | _holds_trained(kinds)
    trains |= kinds.is_loading | kinds.is_zero_grad | kinds.is_optimizer
    rows, calls = trains & kinds.is_outermost & (table["thread"] == thread), table.module_ranges["thread"] == thread
    begins = np.append(table["start_ns"][rows], table.module_ranges["start_ns"][calls])
    return int(begins.min(initial=table.window.end_ns))


def _busiest(table: EventTable) -> int:
    """The thread with most rows, the first of those that have as many."""
    threads, counts = np.unique(table["thread"], return_counts=True)
    return int(threads[counts.argmax()])


class Phases:
    """What a thread's time is spent on, asked of one stretch after the other.

    Going forward lasts from the first op that something went back through to the last one, with all between them; a
    call of a model counts as such an op. In a profile without backward, all ops are forward.
    """

    def __init__(self, table: EventTable, kinds: RowKinds, thread: int):
        rows = np.flatnonzero(kinds.is_outermost & (table["thread"] == thread))
        calls = np.flatnonzero(table.module_ranges["thread"] == thread)
        starts, ends = (np.append(table[side][rows], table.module_ranges[side][calls]) for side in
                        ("start_ns", "end_ns"))
        order = np.argsort(starts, kind="stable")
        self._starts, self._ends = starts[order], ends[order]
        self._what = np.append(_what(kinds, rows), np.full(len(calls), FORWARD))[order]

    def ns(self, from_ns: int, to_ns: int) -> tuple[int, ...]:
        """Nanoseconds by phase, in the order of PHASES."""
        here = slice(*np.searchsorted(self._starts, [from_ns, to_ns]))
        starts, ends, what = self._starts[here], self._ends[here], self._what[here]
        layers = [_stretches(starts, ends, what, phase) for phase in (DATA, OPTIMIZER, BACKWARD, FORWARD)]
        data, optimizer, backward, forward = intervals.shares_ns(layers, from_ns, to_ns)
        return data, forward, backward, optimizer, to_ns - from_ns - data - optimizer - backward - forward


def _what(kinds: RowKinds, rows: np.ndarray) -> np.ndarray:
    """What each row is."""
    what = np.full(len(rows), UNKNOWN)
    what[kinds.is_trained_through[rows] | _holds_trained(kinds)[rows]] = FORWARD
    if not kinds.is_backward.any():
        what[kinds.is_op[rows]] = FORWARD
    what[kinds.is_backward[rows]] = BACKWARD
    what[kinds.is_optimizer[rows] | kinds.is_zero_grad[rows]] = OPTIMIZER
    what[kinds.is_loading[rows]] = DATA
    return what


def _holds_trained(kinds: RowKinds) -> np.ndarray:
    """Rows in which an op runs that something went back through: a composition has no number of its own."""
    parent, holds = kinds.table["parent"], np.zeros(len(kinds.table), bool)
    rows = np.flatnonzero(kinds.is_trained_through)
    while len(rows := np.unique(parent[rows][parent[rows] >= 0])):
        rows = rows[~holds[rows]]
        holds[rows] = True
    return holds


def _stretches(starts: np.ndarray, ends: np.ndarray, what: np.ndarray, phase: int) -> tuple[np.ndarray, np.ndarray]:
    """From the first to the last row of a phase, with what is unknown between them, up to a row of another phase."""
    told = np.flatnonzero(what != UNKNOWN)
    of_phase = what[told] == phase
    begins = np.flatnonzero(of_phase & np.append(True, ~of_phase[:-1])) if len(told) else np.zeros(0, np.int64)
    lasts = np.flatnonzero(of_phase & np.append(~of_phase[1:], True)) if len(told) else np.zeros(0, np.int64)
    reach_ns = [int(ends[told[begin:last + 1]].max()) for begin, last in zip(begins.tolist(), lasts.tolist())]
    return starts[told[begins]], np.array(reach_ns, np.int64)
