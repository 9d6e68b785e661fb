"""From the recorder into the event table: threads end to end, only what this profile asked for."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np

from ...record.recorder import CALLS, INPUTS, MEMORY, Recording
from ..table import columns
from ..table.event_table import EventTable, Thread, Window, empty
from ..views.tree import kept_parents
from .flops import flops_of


@dataclass(frozen=True)
class Wishes:
    """What a profile was asked to record."""

    record_shapes: bool = False
    profile_memory: bool = False
    with_flops: bool = False
    with_stack: bool = False

    def wanted(self) -> int:
        """The same for the recorder; counting FLOPs needs the shapes."""
        return CALLS | (MEMORY if self.profile_memory else 0) | (INPUTS if self.record_shapes or self.with_flops else 0)


# Blocks whose allocation a memory profile saw, by address and size: torch reports the release of these alone.
_alive: dict[int, int] = {}
_alive_lock = threading.Lock()


def event_table(recording: Recording, wishes: Wishes, memory: dict | None, pauses: list[tuple[int, int]],
                first_id: int) -> EventTable:
    """The recording as one table, without what happened during the pauses."""
    window = Window(recording.start_ns, recording.end_ns, recording.wall_offset_ns, recording.pid, wishes.record_shapes,
                    wishes.profile_memory, wishes.with_flops, wishes.with_stack)
    if not recording.threads:
        return empty(recording.names, recording.inputs, window)
    events = _events(recording, wishes)
    events["id"] = first_id + np.arange(len(events["name"]))
    threads = tuple(Thread(t.index, t.os_id, t.name) for t in recording.threads)
    table = EventTable(events, columns.blank(columns.MEMORY) if memory is None else memory, recording.names,
                       recording.inputs, threads, window)
    return _without(table, pauses) if pauses else table


def _events(recording: Recording, wishes: Wishes) -> dict[str, np.ndarray]:
    rows = np.concatenate([t.rows for t in recording.threads])
    events = {c.name: rows[c.name] for c in columns.EVENTS if c.name in rows.dtype.names}
    lengths = [len(t.rows) for t in recording.threads]
    events["thread"] = np.repeat([t.index for t in recording.threads], lengths)
    events["parent"] = _shifted(rows["parent"], recording, lengths)
    if not wishes.record_shapes and not wishes.with_flops:
        events["inputs"] = np.full(len(rows), -1)  # another profile may have asked for them
    events["flops"] = flops_of(rows["name"], rows["inputs"]) if wishes.with_flops else np.zeros(len(rows))
    return events


def memory_columns(recording: Recording, closed: bool = True) -> dict[str, np.ndarray] | None:
    """The memory changes of all threads in order of time; to be read once a recording is closed, in that order."""
    if not recording.threads:
        return None
    rows = np.concatenate([t.memory for t in recording.threads])
    lengths = [len(t.memory) for t in recording.threads]
    thread = np.repeat([t.index for t in recording.threads], lengths)
    event = _shifted(rows["row"], recording, lengths)
    order = np.argsort(rows["time_ns"], kind="stable")
    rows = rows[order]
    memory = {name: rows[name] for name in ("time_ns", "address", "change", "total")}
    seen = _seen(rows["address"], rows["change"], closed)
    return memory | {"event": event[order], "thread": thread[order], "seen": seen}


def _shifted(row: np.ndarray, recording: Recording, lengths: list[int]) -> np.ndarray:
    """Row numbers within a thread as numbers within the table; -1 stays."""
    firsts = np.cumsum([0] + [len(t.rows) for t in recording.threads])[:-1]
    return np.where(row >= 0, row + np.repeat(firsts, lengths), -1)


def _seen(address: np.ndarray, change: np.ndarray, closed: bool) -> np.ndarray:
    """1 for every allocation, and for a release whose allocation stands before it, here or in an earlier profile."""
    seen = np.ones(len(address), np.int8)
    order = np.argsort(address, kind="stable")
    place, size = address[order], change[order]
    starts = np.r_[True, place[1:] != place[:-1]] if len(place) else np.zeros(0, bool)
    before = np.r_[0, size[:-1]] if len(size) else size
    with _alive_lock:
        for i in np.flatnonzero(starts & (size < 0)).tolist():
            seen[order[i]] = _alive.get(int(place[i])) == -int(size[i])
        seen[order[~starts & (size < 0) & (before <= 0)]] = 0
        if closed:
            _remember(place, size, np.r_[starts[1:], True] if len(place) else starts)
    return seen


def _remember(address: np.ndarray, change: np.ndarray, last: np.ndarray) -> None:
    """Which blocks the closed recording leaves alive."""
    for place, size in zip(address[last].tolist(), change[last].tolist()):
        if size > 0:
            _alive[place] = size
        else:
            _alive.pop(place, None)


def _without(table: EventTable, pauses: list[tuple[int, int]]) -> EventTable:
    """What did not begin in a pause; children of something that did go to the nearest event that stays."""
    keep, kept_memory = ~_within(table["start_ns"], pauses), ~_within(table.memory["time_ns"], pauses)
    above = kept_parents(table["parent"], keep)
    memory = {name: array[kept_memory] for name, array in table.memory.items()}
    inside = memory["event"] >= 0
    event = memory["event"][inside]
    memory["event"][inside] = np.where(keep[event], event, above[event])
    rows = np.flatnonzero(keep)
    paused = EventTable(table.events, memory, table.names, table.inputs, table.threads, table.window)
    return paused.pick(rows, above[rows])


def _within(times: np.ndarray, pauses: list[tuple[int, int]]) -> np.ndarray:
    found = np.zeros(len(times), bool)
    for start_ns, end_ns in pauses:
        found |= (times >= start_ns) & (times < end_ns)
    return found
