"""EventTable: all events of all threads as columns, their words interned, the memory changes beside them."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from . import columns, identities
from .columns import BLOCK, Columns, Given, Picked
from .identities import Identities, Joined, Known
from .segments import Stored
from .words import chained, merged


@dataclass(frozen=True)
class Thread:
    """Who an event ran on."""

    index: int
    os_id: int
    name: str
    pid: int = 0  # of its process; 0: that of the window
    is_new: bool = False  # it started inside the profile, and nothing was said about threads


@dataclass(frozen=True)
class Window:
    """When and where a profile was taken, what it was asked to record, and how many events it could not keep."""

    start_ns: int = 0
    end_ns: int = 0
    wall_offset_ns: int = 0
    pid: int = 0
    record_shapes: bool = False
    profile_memory: bool = False
    with_flops: bool = False
    with_stack: bool = False
    dropped: int = 0
    overflow: str = ""
    arrows: bool = True  # from ops to their backward nodes
    device: str = ""  # what was profiled beside the processor


DECLARED = {"events": columns.EVENTS, "memory": columns.MEMORY, "device": columns.DEVICE_ACTIVITY,
            "device_memory": columns.DEVICE_MEMORY, "module_ranges": columns.MODULE_RANGES,
            "cpu_times": columns.CPU_TIMES}


@dataclass(frozen=True)
class EventTable:
    """Columns of events, of memory changes, of devices and of calls of modules; ``names`` and ``inputs`` resolve their
    numbers. Never written to.

    ``identities()`` are the columns of tensors, modules and optimizers, worked out anew at each call. ``schemas`` says
    of the names of ops what their overloads take (``("Tensor!", "int?")``: it writes to the first, the second may be
    missing).
    """

    events: Columns
    memory: Columns
    names: list[tuple[str, str]] = field(repr=False)
    inputs: list[tuple] = field(repr=False)
    threads: tuple[Thread, ...] = ()
    window: Window = Window()
    identities: Callable[[], Identities] = field(default=identities.nothing, repr=False)
    schemas: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict, repr=False)
    device: Columns = field(default_factory=lambda: columns.blank(columns.DEVICE_ACTIVITY))
    device_memory: Columns = field(default_factory=lambda: columns.blank(columns.DEVICE_MEMORY))
    module_ranges: Columns = field(default_factory=lambda: columns.blank(columns.MODULE_RANGES))
    cpu_times: Columns = field(default_factory=lambda: columns.blank(columns.CPU_TIMES))

    def __post_init__(self):
        for name, declared in DECLARED.items():
            given = getattr(self, name)
            if not isinstance(given, Columns):
                object.__setattr__(self, name, Given(declared, given))

    def __reduce__(self):
        """As whole columns: what they are worked out from belongs to this process."""
        inputs = [self.inputs[number] for number in range(len(self.inputs))]
        return EventTable, (dict(self.events), dict(self.memory), self.names, inputs, self.threads, self.window,
                            Known(self.identities()), self.own_schemas(), dict(self.device),
                            dict(self.device_memory), dict(self.module_ranges), dict(self.cpu_times))

    def pid_of(self, thread: Thread) -> int:
        """The process that a thread belongs to."""
        return thread.pid or self.window.pid

    def own_schemas(self) -> dict[str, tuple[tuple[str, ...], ...]]:
        """The schemas of the ops among its names."""
        known = ((name, self.schemas.get(name)) for name in dict.fromkeys(name for name, _ in self.names))
        return {name: overloads for name, overloads in known if overloads}

    def __deepcopy__(self, memo: dict) -> EventTable:
        return self

    def __len__(self) -> int:
        return self.events.n_rows

    def __getitem__(self, column: str) -> np.ndarray:
        return self.events[column]

    def blocks(self, first: int, stop: int, *names: str) -> Iterator[tuple[int, list[np.ndarray]]]:
        """Columns from one row up to another, a block at a time: the number of its first row, and the arrays."""
        for begin in range(first, stop, BLOCK):
            end = min(begin + BLOCK, stop)
            yield begin, self.events.block(names, begin, end)

    def rows_of(self, ids: np.ndarray) -> np.ndarray:
        """The rows of events by their ids; -1 for those that are not here."""
        order = np.argsort(self["id"], kind="stable")
        at = np.minimum(np.searchsorted(self["id"], ids, sorter=order), len(self) - 1)
        return np.where(self["id"][order[at]] == ids, order[at], -1) if len(self) else np.full(len(ids), -1)

    def pick(self, rows: np.ndarray, parents: np.ndarray) -> EventTable:
        """The given rows in the given order; ``parents`` are theirs, still by old number, all among the picked."""
        place = np.full(len(self) + 1, -1, np.int32)  # the last entry answers for -1
        place[rows] = np.arange(len(rows), dtype=np.int32)
        memory = dict(self.memory, event=place[self.memory["event"]])
        return replace(self, events=Picked(self.events, rows, parent=place[parents]), memory=memory)


def empty(names: list, inputs: list, window: Window) -> EventTable:
    """A profile in which nothing happened."""
    return EventTable(columns.blank(columns.EVENTS), columns.blank(columns.MEMORY), names, inputs, (), window)


def joined(tables: list[EventTable]) -> EventTable:
    """Profiles one after the other as one."""
    if len(tables) == 1:
        return tables[0]
    firsts = np.cumsum([0] + [len(t) for t in tables])
    names, moved_names = merged([t.names for t in tables])
    inputs, moved_inputs = chained([t.inputs for t in tables])
    stored = [t.events for t in tables if isinstance(t.events, Stored)]
    if len(stored) == len(tables):
        segments = [replace(s, names=s.names.moved(of_names), inputs=s.inputs.moved(of_inputs))
                    for part, of_names, of_inputs in zip(stored, moved_names, moved_inputs) for s in part.segments]
        events = Stored(segments, names, inputs, stored[0].with_inputs, stored[0].whole)
    else:
        numbered = [dict(t.events, name=of_names[t["name"]], inputs=_moved(t["inputs"], of_inputs))
                    for t, of_names, of_inputs in zip(tables, moved_names, moved_inputs)]
        events = _stacked(numbered, "parent", firsts)
    memory = _stacked([t.memory for t in tables], "event", firsts)
    device, module_ranges = (_end_to_end([dict(named, name=of_names[named["name"]])
                                          for named, of_names in zip(parts, moved_names)])
                             for parts in ([t.device for t in tables], [t.module_ranges for t in tables]))
    device_memory, cpu_times = (_end_to_end(parts) for parts in ([t.device_memory for t in tables],
                                                                 [t.cpu_times for t in tables]))
    threads = {t.index: t for table in tables for t in table.threads}
    window = replace(tables[0].window, end_ns=tables[-1].window.end_ns, dropped=sum(t.window.dropped for t in tables))
    return EventTable(events, memory, names, inputs, tuple(threads.values()), window,
                      Joined([t.identities for t in tables]), ChainMap(*(t.schemas for t in tables)),
                      device, device_memory, module_ranges, cpu_times)


def _moved(numbers: np.ndarray, to: np.ndarray) -> np.ndarray:
    """Numbers of words in another list; -1 stays."""
    return np.where(numbers >= 0, np.append(to, -1)[numbers], -1)


def _stacked(parts: list[dict], rows: str, firsts: np.ndarray) -> dict[str, np.ndarray]:
    """Columns end to end; the column that holds row numbers is shifted along."""
    moved = [dict(part, **{rows: np.where(part[rows] >= 0, part[rows] + first, -1)})
             for part, first in zip(parts, firsts)]
    return _end_to_end(moved)


def _end_to_end(parts: list[Mapping]) -> dict[str, np.ndarray]:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
