"""The events as torch's ``events()`` shows them: nested, without repetitions, memory outside events in rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..table import columns
from ..table.cached_property import cached_property
from ..table.event_table import EventTable
from . import tree
from .device_events import DeviceEvents
from .walk import Rows, Walk
from .walk_table import walk_table

MEMORY_EVENT_NAME = "[memory]"
OUT_OF_MEMORY_EVENT_NAME = "[OutOfMemory]"


def rewrite_name(name: str, with_wildcard: bool = False) -> str:
    """torch counts all steps as one: ``ProfilerStep#4`` is shown as ``ProfilerStep*``."""
    if with_wildcard and name.startswith("ProfilerStep#"):
        return "ProfilerStep*"
    return name


class VisibleEvents:
    """A table ready to be looked at; everything is worked out when it is first asked for."""

    def __init__(self, source: EventTable):
        self.source = source

    def __len__(self) -> int:
        return len(self._order)

    @cached_property
    def words(self) -> tuple[list[str], np.ndarray]:
        """The names as they are visible, and for every name its number among them; overloads of an op share theirs."""
        words: dict[str, int] = {}
        numbers = [words.setdefault(rewrite_name(name, True), len(words)) for name, _ in self.source.names]
        words.setdefault(MEMORY_EVENT_NAME, len(words))
        return list(words), np.array([*numbers, words[MEMORY_EVENT_NAME]], np.int32)

    def walk(self, **options) -> Walk:
        """A pass over the rows of the source; see walk.py."""
        return walk_table(self.source, self.words[1], **options)

    @cached_property
    def cells(self) -> Cells:
        """What there is to know of every row of the source, shown or not."""
        return Cells(self)

    @cached_property
    def _above(self) -> np.ndarray:
        """For every row of the source the nearest one above it that is visible."""
        return tree.kept_parents(self.cells.parent, self.cells.kept)

    @cached_property
    def _event(self) -> np.ndarray:
        """For every memory change the row it is charged to, or -1.

        The release of what was there before the profile is charged to nobody, as in torch, which says nothing of it.
        """
        memory, kept = self.source.memory, self.cells.kept
        event = np.where(memory["seen"] > 0, memory["event"], -1)
        inside = event >= 0
        event[inside] = np.where(kept[event[inside]], event[inside], self._above[event[inside]])
        return event

    @cached_property
    def _outside(self) -> np.ndarray:
        """Memory changes that get an event of their own."""
        return np.flatnonzero((self._event < 0) & (self.source.memory["seen"] > 0))

    @cached_property
    def device(self) -> DeviceEvents:
        """What devices did, and what of it is credited to whom."""
        return DeviceEvents(self)

    @cached_property
    def _further(self) -> dict[str, np.ndarray]:
        """Rows that stand behind those of the source: memory that no event is charged with, and what devices ran."""
        memory = self._memory_rows()
        if not self.device.n_rows:
            return memory
        of_device = self.device.rows(len(self.source.names))
        return {name: np.concatenate([memory[name], of_device[name]]) for name in memory}

    @cached_property
    def _order(self) -> np.ndarray:
        """Rows of the source in the order of their start, further ones by number; a parent precedes a child."""
        rows = np.flatnonzero(self.cells.kept)
        start_ns = self.source["start_ns"][rows]
        if self._n_further:
            rows = np.append(rows, len(self.source) + np.arange(self._n_further))
            start_ns = np.append(start_ns, self._further["start_ns"])
        in_order = (start_ns[1:] >= start_ns[:-1]).all()
        return rows if in_order else rows[np.argsort(start_ns, kind="stable")]

    @cached_property
    def place(self) -> np.ndarray:
        """Which event each row of the source is; -1 for those that are not visible, and as the last entry for none."""
        place = np.full(len(self.source) + self._n_further + 1, -1, np.int32)
        place[self._order] = np.arange(len(self._order), dtype=np.int32)
        return place

    @cached_property
    def table(self) -> EventTable:
        """The shown rows."""
        source, outside = self.source, self._outside
        events, names = source.events, source.names
        event, above = self._event, self._above
        if self._n_further:
            events, names = columns.Appended(events, self._further), [*names, (MEMORY_EVENT_NAME, "")]
            event = event.copy()
            event[outside] = len(source) + np.arange(len(outside))
            above = np.append(above, np.full(self._n_further, -1, np.int32))
        parent = self.place[above[self._order]]
        return replace(source, events=columns.Picked(events, self._order, parent=parent), names=names,
                       memory=dict(source.memory, event=self.place[event]))

    @property
    def _n_further(self) -> int:
        return len(self._outside) + self.device.n_rows

    def _memory_rows(self) -> dict[str, np.ndarray]:
        """Memory that no event is charged with gets an event of its own."""
        memory, outside = self.source.memory, self._outside
        rows = columns.blank(columns.EVENTS, len(outside))
        rows["start_ns"] = rows["end_ns"] = memory["time_ns"][outside]
        rows["thread"] = rows["forward_thread"] = memory["thread"][outside]
        rows["name"][:] = len(self.source.names)
        for column in ("sequence", "parent", "inputs"):
            rows[column][:] = -1
        rows["flags"][:] = columns.OF_MEMORY
        rows["id"] = self.source["id"].max(initial=0) + 1 + np.arange(len(outside))
        return rows

    def _picked(self, cells: np.ndarray, of_memory: np.ndarray | int = 0) -> np.ndarray:
        """Cells of the source's rows for the shown ones; memory's own rows have others."""
        if self._n_further:
            further = np.zeros(self._n_further, cells.dtype)
            further[:len(self._outside)] = of_memory
            cells = np.append(cells, further)
        return cells[self._order]

    @cached_property
    def keys(self) -> tuple[list[str], np.ndarray]:
        """The names on show, and each row's number among them."""
        words, number = self.words
        return words, number[self.table["name"]]

    @cached_property
    def total_ns(self) -> np.ndarray:
        """Time on the processor."""
        lasted_ns = self.table["end_ns"] - self.table["start_ns"]
        return np.where(self.table["flags"] & columns.OF_DEVICE, 0, lasted_ns) if self.device.n_rows else lasted_ns

    @cached_property
    def self_ns(self) -> np.ndarray:
        return self._picked(self.cells.self_ns)

    @cached_property
    def self_bytes(self) -> np.ndarray:
        """Bytes allocated less bytes released while the row was the innermost one."""
        return self._picked(self.cells.self_bytes, self.source.memory["change"][self._outside])

    @cached_property
    def total_bytes(self) -> np.ndarray:
        return self._picked(self.cells.total_bytes, self.source.memory["change"][self._outside])

    @cached_property
    def stack(self) -> np.ndarray:
        """The number of each row's Python stack; 0 is the empty one."""
        return self._picked(self.cells.stack)

    def frames(self, stack: int, most: int | None = None) -> list[str]:
        """A stack's frames, the innermost first."""
        return frames(self.source, self.cells.stacks, stack, most)

    def frames_of(self, stacks: list[int]) -> set[str]:
        """Every frame that stands in one of the stacks; what stacks share is looked at once."""
        seen = {0}
        for stack in stacks:
            while stack not in seen:
                seen.add(stack)
                stack = self.cells.stacks[stack][0]
        return {self.source.names[self.cells.stacks[stack][1]][0] for stack in seen - {0}}

    @property
    def n_stacks(self) -> int:
        return len(self.cells.stacks)

    @cached_property
    def children(self) -> tuple[np.ndarray, np.ndarray]:
        return tree.children_index(self.table["parent"])

    @cached_property
    def flow_ids(self) -> np.ndarray:
        return flows(self.table)


class Cells:
    """What the walk says of every row of the source."""

    def __init__(self, visible: VisibleEvents):
        n = len(visible.source)
        with_memory = visible.source.memory.n_rows > 0
        kept = np.zeros(n, np.int8)
        self.parent, self.stack = np.full(n, -1, np.int32), np.zeros(n, np.int32)
        self.self_ns = np.zeros(n, np.int64)
        self.self_bytes, self.total_bytes = np.zeros((2, n if with_memory else 1), np.int64)
        walk = visible.walk(cells=Rows(*map(memoryview, (kept, self.parent, self.self_ns, self.self_bytes,
                                                       self.total_bytes, self.stack))))
        self.kept = kept.view(bool)
        self.stacks = walk.frames
        if not with_memory:
            self.self_bytes = self.total_bytes = np.broadcast_to(np.int64(0), n)


def frames(table: EventTable, stacks: list[tuple[int, int]], stack: int, most: int | None = None) -> list[str]:
    """The frames of a stack, the innermost first, from the (stack below, name) of each."""
    names: list[str] = []
    while stack > 0 and (most is None or len(names) < most):
        stack, name = stacks[stack]
        names.append(table.names[name][0])
    return names


def flows(table: EventTable) -> np.ndarray:
    """Arrows from a forward op to its backward node: a number on both rows, 0 elsewhere.

    The op is the last one that carries the node's sequence number on the node's forward thread: the others only
    called it, or came before it without needing a gradient. torch numbers the arrows in the order of the nodes.
    """
    ids = np.zeros(len(table), np.int64)
    numbered = table["sequence"] >= 0
    backward = np.flatnonzero(numbered & (table["scope"] == 1))
    forward = np.flatnonzero(numbered & (table["scope"] == 0) & (table["forward_thread"] == 0))[::-1]
    if not table.window.arrows or not len(backward) or not len(forward):
        return ids
    nodes = _thread_and_sequence(table["forward_thread"][backward], table["sequence"][backward])
    _, first = np.unique(nodes, return_index=True)
    first.sort()
    backward, nodes = backward[first], nodes[first]
    calls = _thread_and_sequence(table["thread"][forward], table["sequence"][forward])
    calls, last = np.unique(calls, return_index=True)
    at = np.minimum(np.searchsorted(calls, nodes), len(calls) - 1)
    matched = calls[at] == nodes
    heads, tails = forward[last[at[matched]]], backward[matched]
    ids[heads] = ids[tails] = np.arange(1, len(heads) + 1)
    return ids


def _thread_and_sequence(thread: np.ndarray, sequence: np.ndarray) -> np.ndarray:
    return thread.astype(np.int64) << 48 | sequence
