"""The recordings of one profile: opened, paused, closed, and joined into one table when somebody asks."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from ...core.user_warning import warn_user
from ...record import device_activity, device_journal, rows
from ...record.device_listener import Listener
from ...record.device_recording import DeviceRecording
from ...record.locks import new_lock
from ...record.recorder import Recording, Window
from ...record.workers import Inbox
from ..kineto.recorded import Recorded
from ..table.event_table import EventTable, joined
from . import drain
from .overhead import Overhead, cost_ns
from .pickled import refuse_recording

# torch's numbers of events begin anew at the next multiple of this with every session.
ID_STEP = 512
DROPPED = ("A profile was dropped while it recorded, so nobody can read it: it was stopped. Keep the profile and call "
           "stop(), use `with profile(...)`, or hand it an on_trace_ready.")
DEVICE_FAILED = "The profile of a device is not complete: {}."
_next_id = 1
_id_lock = new_lock()


def reserve_ids(n: int) -> int:
    """The first of n numbers that no other event in this process has."""
    global _next_id
    with _id_lock:
        first = _next_id
        _next_id += max(1, -(-n // ID_STEP)) * ID_STEP
    return first


def _leave_ids_below(number: int) -> None:
    """Give new events numbers from this one on: those below belong to events from elsewhere."""
    global _next_id
    with _id_lock:
        _next_id = max(_next_id, 1 + -(-(number - 1) // ID_STEP) * ID_STEP)


@dataclass
class Part:
    """One stretch of recording."""

    window: Window
    pauses: list[list[int]] = field(default_factory=list)
    device_pauses: list[list[int]] = field(default_factory=list)
    recording: Recording | None = None
    first_id: int = 0
    threads_before: frozenset[int] | None = None  # by the system's numbers; None: it does not matter
    listener: Listener | None = None  # to devices
    of_device: DeviceRecording | None = None
    inbox: Inbox | None = None  # for what workers record

    def open(self) -> None:
        """Listen; an open that fails has not happened."""
        try:
            if self.listener is not None:
                device_activity.begin(self.listener)
            self.window.open()
        except BaseException:
            self.abandon()
            raise

    def abandon(self) -> None:
        """Stop listening: nobody will read what there is."""
        self.window.abandon()
        if self.listener is not None:
            device_activity.end(self.listener)

    def close(self) -> None:
        """Let devices finish, and stop listening; nothing is worked out yet."""
        if self.listener is not None:
            self._finish_device()
        self.recording = self.window.close()
        if self.inbox is not None:
            self.inbox.close(self.recording.end_ns)
        if self.window.journal is not None:
            self.window.journal.tell()
        self.first_id = reserve_ids(self.recording.size)

    def _finish_device(self) -> None:
        if not self.listener.is_synchronized:
            self.listener.is_synchronized = True  # once: who interrupts the waiting does not want to wait again
            device_activity.synchronize(self.listener)
        self.of_device = self.listener.read()
        device_activity.end(self.listener)
        self._tell()
        self.listener = None

    def _tell(self) -> None:
        """Say what went wrong with devices."""
        wrong, unfinished = list(self.listener.failures), self.of_device.unfinished
        if unfinished:
            wrong.append(f"{unfinished} launches had not run")
        if wrong:
            warn_user(DEVICE_FAILED.format("; ".join(wrong)), each_time=True)

    def read(self) -> Recording:
        """What was recorded; as far as it has come, if it is still recording."""
        return self.window.snapshot() if self.recording is None else self.recording

    def _read_device(self) -> DeviceRecording | None:
        """What devices did, on the host's clock."""
        held, window = self.of_device if self.listener is None else self.listener.read(), self.window
        if held is not None and window.journal is not None and window.limit is not None and window.limit.spills:
            held = device_journal.with_stored(held, window.journal.files)
        return None if held is None else held.on_host_clock()

    @property
    def dropped(self) -> int:
        """Events, and activities of devices, that there was no room for."""
        of_device = self.listener.dropped if self.listener else self.of_device.dropped if self.of_device else 0
        return self.read().dropped + of_device

    def of_workers(self) -> dict[int, list[Part]]:
        """By the number of its process, what each worker recorded meanwhile, as parts of a profile of its own."""
        if not self.inbox:
            return {}
        recordings = self.inbox.recordings(self.read().wall_offset_ns)
        return {pid: [Part(Window(), self.pauses, recording=recording, first_id=reserve_ids(recording.size))
                      for recording in of_worker] for pid, of_worker in recordings.items()}

    def table(self, wishes: drain.Wishes) -> EventTable:
        """The part as a table."""
        recording = self.read()
        pauses, device_pauses = ([(start, recording.end_ns + 1 if end is None else end) for start, end in of_one]
                                 for of_one in (self.pauses, self.device_pauses))
        table = drain.event_table(recording, wishes, pauses, self.first_id or 1, self._read_device(), device_pauses)
        if self.threads_before is None:
            return table
        return replace(table, threads=tuple(replace(thread, is_new=thread.os_id not in self.threads_before)
                                            for thread in table.threads))


@dataclass(frozen=True)
class Past:
    """Finished parts of a profile that was pickled, worked out; events are named by their ids."""

    table: EventTable
    dropped: int
    events: int
    lasted_ns: int
    cost_ns: float  # of recording them

    def __setstate__(self, state: dict) -> None:
        vars(self).update(state)
        _leave_ids_below(int(self.table["id"].max(initial=0)) + 1)


class Recordings:
    """All parts of one profile; those of a profile that was pickled are its past."""

    _parts: Sequence[Part] = ()
    _past: Past | None = None
    _past_workers: Mapping[int, Recordings] = MappingProxyType({})

    def __init__(self, wishes: drain.Wishes):
        self.wishes = wishes

    def __getstate__(self) -> dict:
        refuse_recording(self)
        return {"wishes": self.wishes, "_past": self._as_past() if self.started else None,
                "_past_workers": self.of_workers()}

    def __copy__(self) -> Recordings:
        """The same parts, which are never changed once they are finished; further ones are each one's own."""
        refuse_recording(self)
        copied = Recordings(self.wishes)
        copied._parts, copied._past, copied._past_workers = tuple(self._parts), self._past, self._past_workers
        return copied

    def __deepcopy__(self, memo: dict) -> Recordings:
        return self.__copy__()

    def __del__(self) -> None:
        if self.running and not sys.is_finalizing():
            self._parts[-1].abandon()
            warn_user(DROPPED, each_time=True)

    @property
    def running(self) -> bool:
        return bool(self._parts) and self._parts[-1].recording is None

    @property
    def started(self) -> bool:
        return bool(self._parts) or self._past is not None

    def open(self, keep: bool) -> None:
        """Begin a part; earlier ones stay only if they are to be accumulated."""
        if self.running:
            raise RuntimeError("This profile records already. Stop it before it is started again, or start another.")
        if self.wishes.threads is not None:
            self.wishes.threads.begin()
        part = Part(Window(self.wishes.wanted(), self.wishes.limit(), self.wishes.journal()))
        if self.wishes.device is not None or (self.wishes.profile_memory and device_activity.registered()):
            part.listener = Listener(self.wishes.device, self.wishes.profile_memory, self.wishes.most_events,
                                     self.wishes.overflow != "first")
            if part.window.journal is not None:
                part.window.journal.hear(part.listener, self.wishes.spills)
        if self.wishes.with_stack and self.wishes.threads is None:
            part.threads_before = frozenset(thread.native_id for thread in threading.enumerate())
        before = self._parts, self._past
        self._parts = [*self._parts, part] if keep else [part]  # known before it is open, so that it can be closed
        self._past = self._past if keep else None
        self._past_workers = self._past_workers if keep else {}
        try:
            part.open()
            part.inbox = Inbox(part.window.start_ns, self.wishes.most_events, self.wishes.overflow == "first")
        except BaseException:
            self._parts, self._past = before
            if part.listener is not None:
                device_activity.end(part.listener)
            raise

    def close(self) -> None:
        if self.running:
            self._parts[-1].close()

    def restore(self, parts: list[Part], **wishes) -> None:
        """Take over what was recorded elsewhere."""
        self._parts, self.wishes = parts, replace(self.wishes, **wishes)

    def pause(self, paused: bool, of_device: bool = False) -> None:
        """Leave out what begins, or what is launched on a device, from now on, or take it in again."""
        if not self.running:
            return
        pauses = self._parts[-1].device_pauses if of_device else self._parts[-1].pauses
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
        return sum(part.dropped for part in self._parts) + (self._past.dropped if self._past else 0)

    def overhead(self) -> Overhead:
        """What recording the events so far has cost, kept or not."""
        parts, past = [part.read() for part in self._parts], self._past
        events = sum(part.dropped + sum(len(t.rows) for t in part.threads) for part in parts)
        lasted_ns = sum(part.end_ns - part.start_ns for part in parts)
        total_ns = sum(cost_ns(part, self.wishes.wanted()) for part in parts)
        if past is not None:
            events, lasted_ns = events + past.events, lasted_ns + past.lasted_ns
            total_ns += past.cost_ns
        return Overhead(total_ns / max(events, 1), events, total_ns, total_ns / lasted_ns if lasted_ns else 0.0)

    def table(self) -> EventTable:
        """Everything so far as one table."""
        past = [self._past.table] if self._past else []
        return joined(past + [part.table(self.wishes) for part in self._parts])

    def of_workers(self) -> dict[int, Recordings]:
        """What each worker recorded, by the number of its process."""
        workers = {pid: copy(recordings) for pid, recordings in self._past_workers.items()}
        for part in self._parts:
            for pid, parts in part.of_workers().items():
                recordings = workers.setdefault(pid, Recordings(replace(self.wishes, threads=None, device=None)))
                recordings._parts = [*recordings._parts, *parts]
        return workers

    def recorded(self, overloads: bool = False) -> Recorded:
        """Everything so far, with what the tree of events needs beside the table."""
        return Recorded.of(self.table(), overloads)

    def _as_past(self) -> Past:
        """Everything, worked out: what it is worked out from belongs to this process."""
        cost = self.overhead()
        lasted_ns = sum(part.recording.end_ns - part.recording.start_ns for part in self._parts)
        lasted_ns += self._past.lasted_ns if self._past else 0
        return Past(self.table(), self.dropped, cost.events, lasted_ns, cost.total_ns)
