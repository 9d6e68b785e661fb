"""The recordings of one profile: opened, paused, closed, and joined into one table when somebody asks."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...record import rows
from ...record.locks import new_lock
from ...record.recorder import Recording, Window
from ..kineto.recorded import Recorded
from ..table.event_table import EventTable, joined
from . import drain, objects
from .overhead import Overhead, ns_per_event
from .user_warning import warn_user

# torch's numbers of events begin anew at the next multiple of this with every session.
ID_STEP = 512
DROPPED = ("A profile was dropped while it recorded, so nobody can read it: it was stopped. Keep the profile and call "
           "stop(), use `with profile(...)`, or hand it an on_trace_ready.")
_next_id = 1
_id_lock = new_lock()


def reserve_ids(n: int) -> int:
    """The first of n numbers that no other event in this process has."""
    global _next_id
    with _id_lock:
        first = _next_id
        _next_id += max(1, -(-n // ID_STEP)) * ID_STEP
    return first


@dataclass
class Part:
    """One stretch of recording."""

    window: Window
    pauses: list[list[int]] = field(default_factory=list)
    recording: Recording | None = None
    first_id: int = 0

    def close(self) -> None:
        """Stop listening; nothing is worked out yet."""
        self.recording = self.window.close()
        if self.window.journal is not None:
            self.window.journal.tell()
        self.first_id = reserve_ids(sum(len(t.rows) + len(t.memory) for t in self.recording.threads))

    def read(self) -> Recording:
        """What was recorded; as far as it has come, if it is still recording."""
        return self.window.snapshot() if self.recording is None else self.recording

    def table(self, wishes: drain.Wishes) -> EventTable:
        """The part as a table."""
        recording = self.read()
        pauses = [(start, recording.end_ns + 1 if end is None else end) for start, end in self.pauses]
        return drain.event_table(recording, wishes, pauses, self.first_id or 1)


class Recordings:
    """All parts of one profile."""

    _parts: Sequence[Part] = ()

    def __init__(self, wishes: drain.Wishes):
        self.wishes = wishes

    def __del__(self) -> None:
        if self.running and not sys.is_finalizing():
            self._parts[-1].window.abandon()
            warn_user(DROPPED, each_time=True)

    @property
    def running(self) -> bool:
        return bool(self._parts) and self._parts[-1].recording is None

    @property
    def started(self) -> bool:
        return bool(self._parts)

    def open(self, keep: bool) -> None:
        """Begin a part; earlier ones stay only if they are to be accumulated."""
        if self.running:
            raise RuntimeError("This profile records already. Stop it before it is started again, or start another.")
        if self.wishes.threads is not None:
            self.wishes.threads.begin()
        part, before = Part(Window(self.wishes.wanted(), self.wishes.limit(), self.wishes.journal())), self._parts
        self._parts = [*before, part] if keep else [part]  # known before it is open, so that it can be closed
        try:
            part.window.open()
        except BaseException:
            part.window.abandon()
            self._parts = before
            raise

    def close(self) -> None:
        if self.running:
            self._parts[-1].close()

    def restore(self, parts: list[Part], **wishes) -> None:
        """Take over what was recorded elsewhere."""
        self._parts, self.wishes = parts, replace(self.wishes, **wishes)

    def pause(self, paused: bool) -> None:
        """Leave out what begins from now on, or take it in again."""
        if not self.running:
            return
        pauses = self._parts[-1].pauses
        is_paused = bool(pauses) and pauses[-1][1] is None
        if paused and not is_paused:
            pauses.append([rows.now_ns(), None])
        elif not paused and is_paused:
            pauses[-1][1] = rows.now_ns()

    @property
    def folder(self) -> str | None:
        """Where the recording is written, if it is."""
        journal = self._parts[-1].window.journal if self._parts else None
        return None if journal is None else journal.folder

    @property
    def dropped(self) -> int:
        """Events that there was no room for."""
        return sum(part.read().dropped for part in self._parts)

    def overhead(self) -> Overhead:
        """What recording the events so far has cost, kept or not."""
        parts = [part.read() for part in self._parts]
        events = sum(part.dropped + sum(len(t.rows) for t in part.threads) for part in parts)
        lasted_ns = sum(part.end_ns - part.start_ns for part in parts)
        each_ns = ns_per_event(self.wishes.wanted())
        return Overhead(each_ns, events, events * each_ns, events * each_ns / lasted_ns if lasted_ns else 0.0)

    def table(self) -> EventTable:
        """Everything so far as one table."""
        return joined([part.table(self.wishes) for part in self._parts])

    def recorded(self, overloads: bool = False) -> Recorded:
        """Everything so far, with what the tree of events needs beside the table."""
        given, modules, optimizers = [], {}, {}
        for part in self._parts:
            given.append(objects.tensors_given(part.recording, part.first_id))
            of_modules, of_optimizers = objects.calls_of_objects(part.recording, part.first_id)
            modules |= of_modules
            optimizers |= of_optimizers
        tensors = given[0] if len(given) == 1 else np.concatenate(given)
        return Recorded.by_id(self.table(), tensors, modules, optimizers, overloads)
