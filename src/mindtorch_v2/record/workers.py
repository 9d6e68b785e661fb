"""What worker processes record for this one: they are told what is wanted, and send it along with their results.

A worker records one piece of work at a time. Where nobody listens, it looks at one number per piece.
"""

from __future__ import annotations

import os
import pickle
import struct
import weakref
from collections import defaultdict, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from . import recorder, rows
from .layout import MEMORY, ROW, TENSOR, UNFINISHED, USER_SCOPE
from .locks import new_lock
from .names import DECLARED, NO_NAME
from .objects import Objects
from .ranges import record_range
from .recording import Recording, ThreadRows
from .unused_words import numbers_in
from .vocabulary import Vocabulary

HEADER = struct.Struct("=qqqq")


class Piece(NamedTuple):
    """What a worker recorded of one piece of work; ``content`` is read when somebody asks."""

    start_ns: int
    end_ns: int
    rows: int
    pid: int
    content: bytes


class InProgress(NamedTuple):
    """What a worker has been doing since when."""

    pid: int
    worker: str
    work: str
    since_ns: int


class Source(Protocol):
    """Who has workers."""

    def ask_workers(self, wants: int) -> None:
        """Have them record this from their next piece of work on; nothing if it is 0."""

    def collect(self) -> None:
        """Deliver what they have sent, without waiting."""

    def in_progress(self) -> list[InProgress]:
        """What they are doing now."""


sources: weakref.WeakSet[Source] = weakref.WeakSet()
_inboxes: list[weakref.ref[Inbox]] = []
_lock = new_lock()


def register(source: Source) -> None:
    """Have somebody's workers record whenever this process does."""
    sources.add(source)
    source.ask_workers(recorder.wanted())


def _ask(wants: int) -> None:
    for source in list(sources):
        source.ask_workers(wants)


recorder.when_wanted.append(_ask)
if hasattr(os, "register_at_fork"):  # a child has no workers yet
    os.register_at_fork(after_in_child=lambda: (sources.clear(), _inboxes.clear()))


def perform(work: Callable, argument: Any, wants: int, worker: str, name: str) -> tuple[Any, bytes | None]:
    """Do a piece of work in a worker and record it: its result, and what was recorded. Recording never fails it."""
    window = None
    with suppress(Exception):
        window = recorder.Window(wants).open()
    if window is None:
        return work(argument), None
    start_ns = rows.now_ns()
    try:
        with record_range(name):
            result = work(argument)
    except BaseException:
        window.abandon()
        raise
    end_ns = rows.now_ns()
    try:
        recording = window.close()
        within = [thread.from_time(start_ns).until_time(end_ns) for thread in recording.threads]
        return result, _packed(replace(recording, start_ns=start_ns, end_ns=end_ns, threads=within), worker)
    except Exception:
        return result, None


def _packed(recording: Recording, worker: str) -> bytes:
    """A recording with the words that its rows use, as plain values."""
    arrays = [thread.rows for thread in recording.threads]
    words = {column: {number: vocabulary[number] for number in numbers_in(arrays, column) if number >= 0}
             for column, vocabulary in (("name", recording.names), ("inputs", recording.inputs))}
    threads = [replace(thread, name=worker) if thread.os_id == os.getpid() else thread for thread in recording.threads]
    plain = replace(recording, threads=threads, names=Vocabulary(words["name"], [(NO_NAME, "")]),
                    inputs=Vocabulary(words["inputs"]), objects=Objects(recording.objects.modules))
    content = pickle.dumps(plain, pickle.HIGHEST_PROTOCOL)
    return HEADER.pack(recording.start_ns, recording.end_ns, sum(map(len, arrays)), os.getpid()) + content


def deliver(message: bytes) -> None:
    """Hand what a worker sent to those who listen, or did when it was recorded."""
    piece = Piece(*HEADER.unpack_from(message), message[HEADER.size:])
    with _lock:
        for inbox in [inbox for ref in _inboxes if (inbox := ref()) is not None]:
            inbox.take(piece)


class Inbox:
    """What workers record while one window is open; what comes late is taken too."""

    def __init__(self, start_ns: int, most_rows: int = 0, keep_first: bool = False):
        self.start_ns, self.end_ns = start_ns, 0
        self.dropped = 0
        self._most_rows, self._keep_first = most_rows, keep_first
        self._pieces: deque[Piece] = deque()
        self._unfinished: dict[int, InProgress] = {}
        with _lock:
            _inboxes[:] = [ref for ref in _inboxes if ref() is not None] + [weakref.ref(self)]

    def take(self, piece: Piece) -> None:
        """Keep what was recorded while the window was open, within its limit."""
        if piece.end_ns < self.start_ns or (self.end_ns and piece.start_ns > self.end_ns):
            return
        begun = self._unfinished.get(piece.pid)
        if begun is not None and begun.since_ns <= piece.end_ns:
            del self._unfinished[piece.pid]
        self._pieces.append(piece)
        while self._most_rows and sum(kept.rows for kept in self._pieces) > self._most_rows and self._pieces:
            self.dropped += (self._pieces.pop() if self._keep_first else self._pieces.popleft()).rows

    def close(self, end_ns: int) -> None:
        """The window ends: collect what has been sent of its time, and note what is still being done."""
        self.end_ns = end_ns
        for source in list(sources):
            with suppress(Exception):
                source.collect()
                self._unfinished.update({now.pid: now for now in source.in_progress() if now.since_ns < end_ns})

    def __bool__(self) -> bool:
        return bool(self._pieces or self._unfinished)

    def recordings(self, wall_offset_ns: int) -> dict[int, list[Recording]]:
        """By the number of the worker's process, what it recorded; all processes of a machine have one clock."""
        recordings: dict[int, list[Recording]] = defaultdict(list)
        for piece in list(self._pieces):
            recordings[piece.pid].append(replace(pickle.loads(piece.content), wall_offset_ns=wall_offset_ns))
        for pid, begun in list(self._unfinished.items()):
            recordings[pid].append(self._as_row(begun, wall_offset_ns))
        return recordings

    def _as_row(self, begun: InProgress, wall_offset_ns: int) -> Recording:
        """Work that had not ended when the window did, as a row that has not."""
        start_ns, end_ns = max(begun.since_ns, self.start_ns), self.end_ns or rows.now_ns()
        row = np.zeros(1, ROW)
        row["start_ns"], row["end_ns"], row["sequence"], row["inputs"] = start_ns, end_ns, -1, -1
        row["name"], row["scope"], row["flags"] = DECLARED, USER_SCOPE, UNFINISHED
        thread = ThreadRows(1, begun.pid, begun.worker, 0, row, np.zeros(0, MEMORY), np.zeros(0, TENSOR))
        return Recording(start_ns, end_ns, wall_offset_ns, begun.pid, 0, [thread],
                         Vocabulary({DECLARED: (begun.work, "")}, [(NO_NAME, "")]), Vocabulary({}), Objects())
