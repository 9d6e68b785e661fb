"""Time, memory and FLOPs by module: a row per qualified name (``blocks.0.attn.q``), and one for what is no module's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..table.cached_property import cached_property
from ..table.event_table import EventTable
from . import intervals
from .module_word import ModuleWord
from .row_kinds import RowKinds
from .steps import steps

NO_MODULE = -1


class ModuleRow(NamedTuple):
    """One module. Times are nanoseconds: ``forward`` with the modules in it, ``self_forward`` without; ``backward`` and
    ``optimizer`` are its own, the latter shared out by trained parameters. Bytes: those allocated in its own forward
    and backward, and of those of forward what stayed when it ended."""

    path: str
    kind: str
    depth: int
    parent: int
    calls: int
    parameters: int
    forward: int
    self_forward: int
    backward: int
    optimizer: int
    allocated_bytes: int
    kept_bytes: int
    flops: int

    @property
    def self_ns(self) -> int:
        """All time that is this module's alone; of all rows, with ``other``, it adds up to the steps."""
        return self.self_forward + self.backward + self.optimizer


@dataclass(frozen=True)
class ModuleTable:
    """All modules in the order of their first calls, each behind the one it is in; and the time of no module."""

    rows: list[ModuleRow]
    other: int
    total: int


def module_table(table: EventTable, kinds: RowKinds | None = None) -> ModuleTable:
    """The modules of a profile that was taken ``with_modules=True``; others have none."""
    return Modules(table, kinds or RowKinds(table)).table()


class Modules:
    """Which module rows and moments belong to."""

    def __init__(self, table: EventTable, kinds: RowKinds):
        self._events, self._kinds = table, kinds
        ranges = table.module_ranges
        order = np.lexsort((-ranges["end_ns"], ranges["start_ns"], ranges["thread"]))
        self.start_ns, self.end_ns, self.thread, name = (ranges[column][order] for column in
                                                         ("start_ns", "end_ns", "thread", "name"))
        self.words, self.module = _distinct([table.names[number][0] for number in name.tolist()])
        self._runs = {int(thread): np.flatnonzero(self.thread == thread) for thread in np.unique(self.thread)}

    def at(self, thread: np.ndarray, time_ns: np.ndarray) -> np.ndarray:
        """The innermost call of a module at moments on threads, or NO_MODULE."""
        innermost = np.full(len(time_ns), NO_MODULE)
        for number, calls in self._runs.items():
            here = np.flatnonzero(thread == number)
            at = intervals.innermost(self.start_ns[calls], self.end_ns[calls], time_ns[here])
            innermost[here] = np.where(at >= 0, calls[at], NO_MODULE)
        return innermost

    @cached_property
    def _evaluations(self) -> np.ndarray:
        """Outermost rows that go back, in the order of time."""
        rows = np.flatnonzero(self._kinds.is_backward & self._kinds.is_outermost)
        return rows[np.argsort(self._events["start_ns"][rows], kind="stable")]

    @cached_property
    def _of_evaluation(self) -> np.ndarray:
        """The module that each of these goes back through. One without a number of its own, which takes a gradient in,
        runs as soon as that is there: it belongs to the module of the row before it on its thread."""
        events, rows = self._events, self._evaluations
        forward = self._kinds.forward_of[rows]
        call = self.at(events["thread"][forward], events["start_ns"][forward])
        module = np.where((forward >= 0) & (call >= 0), np.append(self.module, NO_MODULE)[call], NO_MODULE)
        thread, before = events["thread"][rows].tolist(), {}
        numbered = (events["sequence"][rows] >= 0).tolist()
        for place, (is_numbered, on) in enumerate(zip(numbered, thread)):
            if not is_numbered:
                module[place] = before.get(on, NO_MODULE)
            before[on] = module[place]
        return module

    def of_moments(self, thread: np.ndarray, time_ns: np.ndarray) -> np.ndarray:
        """The module that moments on threads belong to, going forward or back, or NO_MODULE."""
        events, rows = self._events, self._evaluations
        call = self.at(thread, time_ns)
        module = np.where(call >= 0, np.append(self.module, NO_MODULE)[call], NO_MODULE)
        for number in np.unique(events["thread"][rows]).tolist():
            mine = np.flatnonzero(events["thread"][rows] == number)
            here = np.flatnonzero(thread == number)
            starts, ends = events["start_ns"][rows[mine]], events["end_ns"][rows[mine]]
            at = intervals.innermost(starts, ends, time_ns[here])
            module[here] = np.where(at >= 0, self._of_evaluation[mine[at]], module[here])
        return module

    def table(self) -> ModuleTable:
        """Everything by module."""
        n = len(self.words)
        lasted_ns = self.end_ns - self.start_ns
        above = _parents(self._runs, self.start_ns, self.end_ns)
        going_back = self._in_backward()
        inside_ns = _sums(above[above >= 0], lasted_ns[above >= 0], len(lasted_ns))
        outermost = ~_repeats(self.module, above) & ~going_back
        forward = _sums(self.module[outermost], lasted_ns[outermost], n)
        self_forward = _sums(self.module[~going_back], (lasted_ns - inside_ns)[~going_back], n)
        backward = self._backward_ns(n)
        optimizer = _shared_out(self._optimizer_ns(), np.array([word.parameters for word in self.words], np.int64))
        allocated, kept = self._bytes(n)
        flops = self._flops(n)
        calls = np.bincount(self.module[~going_back], minlength=n)
        columns = zip(*(cells.tolist() for cells in (calls, forward, self_forward, backward, optimizer, allocated,
                                                     kept, flops)))
        rows = [ModuleRow(*described, *cells[:1], word.parameters, *cells[1:])
                for described, word, cells in zip(self._described(), self.words, columns)]
        total = sum(step.wall for step in steps(self._events, self._kinds))
        used = sum(row.self_ns for row in rows)
        return ModuleTable(_nested(rows), max(total - used, 0), max(total, used))

    def _in_backward(self) -> np.ndarray:
        """Calls of modules that run again while going back, as checkpoints do: their time is that of backward."""
        events, rows = self._events, self._evaluations
        inside = np.zeros(len(self.start_ns), bool)
        for number, calls in self._runs.items():
            mine = rows[events["thread"][rows] == number]
            at = intervals.innermost(events["start_ns"][mine], events["end_ns"][mine], self.start_ns[calls])
            inside[calls] = at >= 0
        return inside

    def _backward_ns(self, n: int) -> np.ndarray:
        known = self._of_evaluation >= 0
        rows = self._evaluations[known]
        return _sums(self._of_evaluation[known], self._events["end_ns"][rows] - self._events["start_ns"][rows], n)

    def _optimizer_ns(self) -> int:
        rows = np.flatnonzero(self._kinds.is_optimizer & self._kinds.is_outermost)
        return int((self._events["end_ns"][rows] - self._events["start_ns"][rows]).sum())

    def _bytes(self, n: int) -> tuple[np.ndarray, np.ndarray]:
        """Bytes allocated in a module's own time; and what of its own forward's was left, less what it released."""
        memory = self._events.memory
        module = self.of_moments(memory["thread"], memory["time_ns"])
        grew = (module >= 0) & (memory["change"] > 0)
        call = self.at(memory["thread"], memory["time_ns"])
        forward = (call >= 0) & (memory["seen"] > 0)
        return (_sums(module[grew], memory["change"][grew], n),
                _sums(self.module[call[forward]], memory["change"][forward], n))

    def _flops(self, n: int) -> np.ndarray:
        rows = np.flatnonzero(self._events["flops"])
        module = self.of_moments(self._events["thread"][rows], self._events["start_ns"][rows])
        return _sums(module[module >= 0], self._events["flops"][rows][module >= 0], n)

    @cached_property
    def paths(self) -> list[str]:
        """The names of all modules; where several models have modules, they begin with the model's."""
        with_root = len({word.root for word in self.words if word.path}) > 1
        return [word.path if word.path and not with_root else ".".join(filter(None, (word.root, word.path)))
                for word in self.words]

    def _described(self) -> list[tuple[str, str, int, int]]:
        """Path, class, depth (not known yet) and parent of each module."""
        number = {(word.root, word.path): place for place, word in enumerate(self.words)}
        return [(path, word.kind, 0, _nearest(word, number)) for path, word in zip(self.paths, self.words)]


def _nearest(word: ModuleWord, number: dict[tuple[str, str], int]) -> int:
    """The module around one: the nearest above it on its path that was called."""
    path = word.path
    while path:
        path = path.rpartition(".")[0]
        if (word.root, path) in number:
            return number[word.root, path]
    return NO_MODULE


def _distinct(texts: list[str]) -> tuple[list[ModuleWord], np.ndarray]:
    """The modules in the order of their first calls, and which one each call is of."""
    number: dict[str, int] = {}
    module = np.array([number.setdefault(text, len(number)) for text in texts], np.int64)
    return [ModuleWord.read(text) for text in number], module


def _nested(rows: list[ModuleRow]) -> list[ModuleRow]:
    """Each row behind the one it is in, with the parents' new places."""
    below: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        below.setdefault(row.parent, []).append(place)
    order, waiting = [], list(reversed(below.get(NO_MODULE, [])))
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(below.get(order[-1], []))
    place = {old: new for new, old in enumerate(order)} | {NO_MODULE: NO_MODULE}
    depth: dict[int, int] = {NO_MODULE: -1}
    for old in order:
        depth[old] = depth[rows[old].parent] + 1
    return [rows[old]._replace(parent=place[rows[old].parent], depth=depth[old]) for old in order]


def _parents(runs: dict[int, np.ndarray], start_ns: np.ndarray, end_ns: np.ndarray) -> np.ndarray:
    above = np.full(len(start_ns), NO_MODULE)
    for calls in runs.values():
        parents = intervals.parents(start_ns[calls], end_ns[calls])
        above[calls] = np.where(parents >= 0, calls[parents], NO_MODULE)
    return above


def _repeats(module: np.ndarray, above: np.ndarray) -> np.ndarray:
    """Calls of a module inside a call of the same one: their time is counted already."""
    repeats, around = np.zeros(len(module), bool), above.copy()
    while (inside := around >= 0).any():
        repeats[inside] |= module[around[inside]] == module[inside]
        around[inside] = above[around[inside]]
    return repeats


def _sums(group: np.ndarray, values: np.ndarray, n: int) -> np.ndarray:
    sums = np.zeros(n, np.int64)
    np.add.at(sums, group, values)
    return sums


def _shared_out(total: int, weights: np.ndarray) -> np.ndarray:
    """A number in whole parts by weight, which add up to it; nobody gets any of it where nobody weighs anything."""
    if not weights.sum():
        return np.zeros(len(weights), np.int64)
    reached = np.cumsum(weights) * total // weights.sum()
    return np.diff(reached, prepend=0)
