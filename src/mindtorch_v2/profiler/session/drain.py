"""From the recorder into the event table: threads end to end, only what this profile asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ...core.user_warning import warn_user
from ...record.device_recording import DeviceRecording
from ...record.journal import Journal
from ...record.layout import (
    CALLS,
    COLLECTIONS,
    CPU_TIMES,
    INPUTS,
    MODULE_RANGE,
    MODULES,
    OF_MEMORY,
    OPTIMIZERS,
    PYTHON_CALL,
    STACKS,
    TENSORS,
)
from ...record.overflow import Limit
from ...record.recorder import Recording
from ...record.vocabulary import shown
from ..table import columns
from ..table.columns import Columns
from ..table.event_table import EventTable, Thread, Window, empty
from ..table.segments import Changes, Segment, Stored
from ..table.words import Numbering, ReadWhenAsked
from ..views.part import kept
from .device_drain import with_device
from .execution_recording import record_ids
from .flops import flops_of
from .module_ranges import without_rows_aside
from .objects import identities
from .op_schemas import SCHEMAS
from .thread_choice import ThreadChoice

RECORDED = ("record_shapes", "profile_memory", "with_flops", "with_stack", "with_modules", "with_cpu_time", "overflow",
            "arrows")
CRASH_FILE_BYTES = 256 << 20  # of a profile that is kept in memory; the newest part of it is on disk
NOT_WRITTEN = ("The profiler could not write to disk ({}). It tries again; until that succeeds events are kept in "
               "memory as far as the limit allows, and those beyond it are counted in dropped_events.")


@dataclass(frozen=True)
class Wishes:
    """What a profile was asked to record."""

    record_shapes: bool = False
    profile_memory: bool = False
    with_flops: bool = False
    with_stack: bool = False
    with_modules: bool = False
    collections: bool = False
    most_events: int = 0
    overflow: str = "newest"
    crash_safe: bool = False
    folder: str | None = None
    arrows: bool = True
    scopes: frozenset[int] = frozenset()  # none: all
    threads: ThreadChoice | None = None  # none: all
    device: str | None = None  # profiled beside the processor
    device_kinds: frozenset[int] | None = None  # of its activity; none: all
    use_cpu: bool = True  # or the device alone
    with_cpu_time: bool = False

    def __post_init__(self) -> None:
        for name in ("record_shapes", "profile_memory", "with_flops", "with_stack", "with_modules", "with_cpu_time"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, (bool, int, float)):
                raise TypeError(f"profile(): argument '{name}' must be bool, not {type(value).__name__}")
            object.__setattr__(self, name, bool(value))

    def wanted(self) -> int:
        """The same for the recorder: counting FLOPs needs the shapes, following tensors the memory or the caller."""
        follow = self.record_shapes and (self.with_stack or self.profile_memory)
        return (CALLS | self.profile_memory * OF_MEMORY | (self.record_shapes or self.with_flops) * INPUTS
                | self.with_stack * STACKS | (self.collections and self.with_stack) * COLLECTIONS
                | follow * TENSORS | self.with_stack * OPTIMIZERS | self.with_modules * MODULES
                | self.with_cpu_time * CPU_TIMES)

    def limit(self) -> Limit | None:
        """What the recorder is to do with more than can be held."""
        return Limit(self.most_events, self.overflow) if self.most_events else None

    @property
    def spills(self) -> bool:
        """Whether what cannot be held goes to disk."""
        return bool(self.most_events) and self.overflow == "spill"

    def journal(self) -> Journal | None:
        """Where the recording is written while it goes on, if it is."""
        if not self.spills and not self.crash_safe:
            return None
        about = {name: getattr(self, name) for name in RECORDED}
        if self.device is not None:
            kinds = None if self.device_kinds is None else sorted(self.device_kinds)
            about |= {"device": self.device, "device_kinds": kinds, "use_cpu": self.use_cpu}
        return Journal(self.folder, about, 0 if self.spills else CRASH_FILE_BYTES, _not_written)


def _not_written(error: OSError) -> None:
    try:
        warn_user(NOT_WRITTEN.format(error))
    except Warning:
        pass  # warnings are errors, and this would be raised out of whatever the program does


def event_table(recording: Recording, wishes: Wishes, pauses: list[tuple[int, int]], first_id: int,
                of_device: DeviceRecording | None = None, device_pauses: list[tuple[int, int]] = ()) -> EventTable:
    """The recording as one table, without what happened during the pauses."""
    table = _whole_table(recording, wishes, first_id, of_device)
    threads = table.threads
    highest = max((int(t.rows["scope"].max(initial=0)) for t in recording.threads), default=0)
    if highest >= MODULE_RANGE:
        table = without_rows_aside(table, wishes.with_modules, wishes.with_cpu_time)
    if not wishes.with_stack and highest >= PYTHON_CALL:
        # Another profile that listened at the same time asked for Python's calls.
        table = kept(table, table["scope"] < PYTHON_CALL, np.ones(table.memory.n_rows, bool))
    if wishes.scopes:
        keep = np.isin(table["scope"], list(wishes.scopes)) | (table["scope"] >= PYTHON_CALL)
        table = kept(table, keep, np.ones(table.memory.n_rows, bool))
    if wishes.threads is not None:
        chosen = tuple(thread for thread in threads if wishes.threads.holds(thread))
        table = replace(_of_threads(table, [thread.index for thread in chosen]), threads=chosen)
    if not wishes.use_cpu:
        table = kept(table, np.zeros(len(table), bool), np.ones(table.memory.n_rows, bool))
    if pauses:
        table = kept(table, ~_within(table["start_ns"], pauses), ~_within(table.memory["time_ns"], pauses))
        table = replace(table, device_memory=_where(table.device_memory,
                                                    ~_within(table.device_memory["time_ns"], pauses)),
                        module_ranges=_where(table.module_ranges, ~_within(table.module_ranges["start_ns"], pauses)),
                        cpu_times=_where(table.cpu_times, ~_within(table.cpu_times["time_ns"], pauses)))
    if wishes.device_kinds is not None:
        table = replace(table, device=_where(table.device, np.isin(table.device["kind"], list(wishes.device_kinds))))
    if device_pauses:
        table = replace(table, device=_where(table.device, ~_within(table.device["launch_ns"], device_pauses)))
    return table


def _whole_table(recording: Recording, wishes: Wishes, first_id: int, of_device: DeviceRecording | None) -> EventTable:
    """Everything that was recorded, whoever asked for it."""
    window = Window(recording.start_ns, recording.end_ns, recording.wall_offset_ns, recording.pid, wishes.record_shapes,
                    wishes.profile_memory, wishes.with_flops, wishes.with_stack,
                    recording.dropped + (0 if of_device is None else of_device.dropped), wishes.overflow,
                    wishes.arrows, wishes.device or "")
    numbers, names = recording.names.listed()
    names, of_names = [shown(name) for name in names], Numbering(numbers, missing=0)
    numbers, described = recording.inputs.listed()
    inputs, of_inputs = ReadWhenAsked(described), Numbering(numbers, missing=-1)
    if not recording.threads:
        table = empty(names, inputs, window)
        return table if of_device is None else with_device(table, of_device, [], first_id)
    whole = {"record": _record_ids} | ({"flops": _flops} if wishes.with_flops else {})
    segments = _segments(recording, of_names, of_inputs, first_id)
    events = Stored(segments, names, inputs, wishes.record_shapes or wishes.with_flops, whole)
    memory = Changes(events.segments, recording.start_bytes) if wishes.profile_memory else columns.blank(columns.MEMORY)
    threads = tuple(Thread(t.index, t.os_id, t.name) for t in recording.threads)
    table = EventTable(events, memory, names, inputs, threads, window, partial(identities, recording, first_id),
                       SCHEMAS)
    return table if of_device is None else with_device(table, of_device, recording.threads, first_id)


def _segments(recording: Recording, names: Numbering, inputs: Numbering, first_id: int) -> Iterator[Segment]:
    for thread in recording.threads:
        yield Segment(thread.index, thread.rows, thread.memory, thread.first, names, inputs, first_id)
        first_id += len(thread.rows)


def _flops(events: Stored) -> np.ndarray:
    return flops_of(events["name"], events["inputs"], events["parent"], events.names, events.inputs)


def _record_ids(events: Stored) -> np.ndarray:
    return np.concatenate([record_ids(s.thread, s.number, s.rows) for s in events.segments])


def _of_threads(table: EventTable, indices: list[int]) -> EventTable:
    """What these threads did; the bytes alive stay those of the whole process."""
    table = kept(table, np.isin(table["thread"], indices), np.isin(table.memory["thread"], indices))
    return replace(table, device=_where(table.device, np.isin(table.device["thread"], indices)),
                   device_memory=_where(table.device_memory, np.isin(table.device_memory["thread"], indices)),
                   module_ranges=_where(table.module_ranges, np.isin(table.module_ranges["thread"], indices)),
                   cpu_times=_where(table.cpu_times, np.isin(table.cpu_times["thread"], indices)))


def _where(of_device: Columns, keep: np.ndarray) -> dict[str, np.ndarray]:
    return {name: cells[keep] for name, cells in of_device.items()}


def _within(times: np.ndarray, pauses: list[tuple[int, int]]) -> np.ndarray:
    is_within = np.zeros(len(times), bool)
    for start_ns, end_ns in pauses:
        is_within |= (times >= start_ns) & (times < end_ns)
    return is_within
