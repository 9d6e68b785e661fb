"""From the recorder into the event table: threads end to end, only what this profile asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...record.layout import CALLS, COLLECTIONS, INPUTS, OF_MEMORY, PYTHON_CALL, STACKS, TENSORS
from ...record.recorder import Recording, ThreadRows
from ..table import columns
from ..table.event_table import EventTable, Thread, Window, empty
from ..views.tree import open_parents
from .execution_recording import record_ids
from .flops import flops_of


@dataclass(frozen=True)
class Wishes:
    """What a profile was asked to record."""

    record_shapes: bool = False
    profile_memory: bool = False
    with_flops: bool = False
    with_stack: bool = False
    collections: bool = False

    def wanted(self) -> int:
        """The same for the recorder: counting FLOPs needs the shapes, following tensors needs to know the caller."""
        return (CALLS | self.profile_memory * OF_MEMORY | (self.record_shapes or self.with_flops) * INPUTS
                | self.with_stack * STACKS | (self.record_shapes and self.with_stack) * TENSORS
                | (self.collections and self.with_stack) * COLLECTIONS)


def event_table(recording: Recording, wishes: Wishes, pauses: list[tuple[int, int]], first_id: int) -> EventTable:
    """The recording as one table, without what happened during the pauses."""
    window = Window(recording.start_ns, recording.end_ns, recording.wall_offset_ns, recording.pid, wishes.record_shapes,
                    wishes.profile_memory, wishes.with_flops, wishes.with_stack)
    if not recording.threads:
        return empty(recording.names, recording.inputs, window)
    events = _events(recording, wishes)
    events["id"] = first_id + np.arange(len(events["name"]))
    threads = tuple(Thread(t.index, t.os_id, t.name) for t in recording.threads)
    memory = memory_columns(recording) if wishes.profile_memory else columns.blank(columns.MEMORY)
    table = EventTable(events, memory, recording.names, recording.inputs, threads, window)
    if not wishes.with_stack:  # another profile may have asked for them
        table = _kept(table, table["scope"] < PYTHON_CALL, np.ones(len(memory["event"]), bool))
    if pauses:
        table = _kept(table, ~_within(table["start_ns"], pauses), ~_within(table.memory["time_ns"], pauses))
    return table


def _events(recording: Recording, wishes: Wishes) -> dict[str, np.ndarray]:
    rows = np.concatenate([t.rows for t in recording.threads])
    events = {c.name: rows[c.name] for c in columns.EVENTS if c.name in rows.dtype.names}
    events["thread"] = np.repeat([t.index for t in recording.threads], [len(t.rows) for t in recording.threads])
    events["parent"] = _shifted(recording, ThreadRows.parents)
    events["record"] = np.concatenate([record_ids(t) for t in recording.threads])
    if not wishes.record_shapes and not wishes.with_flops:
        events["inputs"] = np.full(len(rows), -1)  # another profile may have asked for them
    events["flops"] = np.zeros(len(rows)) if not wishes.with_flops else flops_of(
        rows["name"], rows["inputs"], events["parent"], recording.names, recording.inputs)
    return events


def memory_columns(recording: Recording) -> dict[str, np.ndarray]:
    """The memory changes of all threads in order of time, with the bytes alive after each."""
    rows = np.concatenate([t.memory for t in recording.threads])
    thread = np.repeat([t.index for t in recording.threads], [len(t.memory) for t in recording.threads])
    event = _shifted(recording, lambda t: t.places(t.memory["row"]))
    order = np.argsort(rows["time_ns"], kind="stable")
    rows = rows[order]
    return {"time_ns": rows["time_ns"], "address": rows["place"] >> 1, "change": rows["change"],
            "total": recording.start_bytes + np.cumsum(rows["change"]), "event": event[order],
            "thread": thread[order], "seen": rows["place"] & 1}


def _shifted(recording: Recording, places: Callable[[ThreadRows], np.ndarray]) -> np.ndarray:
    """Places within a thread's rows as places within the table; -1 stays."""
    found, first = [], 0
    for thread in recording.threads:
        place = places(thread)
        found.append(np.where(place >= 0, place + first, -1))
        first += len(thread.rows)
    return np.concatenate(found)


def _kept(table: EventTable, keep: np.ndarray, keep_memory: np.ndarray) -> EventTable:
    """Part of a table; children and memory of an event that goes belong to the nearest one that stays."""
    if keep.all() and keep_memory.all():
        return table
    above = open_parents(table["parent"], keep, table["start_ns"], table["end_ns"])
    memory = {name: array[keep_memory] for name, array in table.memory.items()}
    inside = memory["event"] >= 0
    event = memory["event"][inside]
    memory["event"][inside] = np.where(keep[event], event, above[event])
    rows = np.flatnonzero(keep)
    return replace(table, memory=memory).pick(rows, above[rows])


def _within(times: np.ndarray, pauses: list[tuple[int, int]]) -> np.ndarray:
    found = np.zeros(len(times), bool)
    for start_ns, end_ns in pauses:
        found |= (times >= start_ns) & (times < end_ns)
    return found
