"""Windows on the one recorder: several listeners, each with its own begin, end and wishes; the cost is paid once."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field

import numpy as np

from . import clock, rows
from .names import inputs, names

CALLS, MEMORY, INPUTS = 1, 2, 4


@dataclass
class ThreadRows:
    """What one thread recorded within a window; parents are indices into ``rows`` or -1."""

    index: int
    os_id: int
    name: str
    rows: np.ndarray
    memory: np.ndarray


@dataclass
class Recording:
    """A closed (or still growing) window, as columns; ``names`` and ``inputs`` resolve the numbers in the rows."""

    start_ns: int
    end_ns: int
    wall_offset_ns: int
    pid: int
    threads: list[ThreadRows]
    names: list[str] = field(repr=False)
    inputs: list[tuple] = field(repr=False)


class Window:
    """One listener: opened at a moment, closed at another, read at any time in between."""

    def __init__(self, wants: int = CALLS):
        self.wants = wants | CALLS
        self.thread = rows.current_thread()
        self._marks: dict[int, tuple[int, int]] = {}
        self.start_ns = self.end_ns = 0
        self._closed: Recording | None = None

    def open(self) -> Window:
        with _lock:
            self._marks = rows.marks()
            _open_windows.append(self)
            _listen()
            self.start_ns = rows.now_ns()
        return self

    def close(self) -> Recording:
        """Stop listening and hand out what was recorded; a second call hands out the same."""
        with _lock:
            if self._closed is None:
                self.end_ns = rows.now_ns()
                _open_windows.remove(self)
                _listen()
                self._closed = self._read(self.end_ns)
                if not _open_windows:
                    rows.clear()
        return self._closed

    def snapshot(self) -> Recording:
        """What has been recorded so far; recording goes on."""
        if self._closed is not None:
            return self._closed
        with _lock:
            return self._read(rows.now_ns())

    def _read(self, end_ns: int) -> Recording:
        threads = []
        for index in rows.marks():
            first_row, first_memory = self._marks.get(index, (0, 0))
            found, memory = rows.read(index, first_row, first_memory)
            _rebase(found["parent"], first_row)
            _rebase(memory["row"], first_row)
            unfinished = found["end_ns"] == 0
            found["end_ns"][unfinished] = end_ns
            found["flags"][unfinished] |= UNFINISHED
            if len(found) or len(memory):
                threads.append(ThreadRows(index, *rows.thread_facts(index), found, memory))
        return Recording(self.start_ns, end_ns, clock.wall_offset_ns(), os.getpid(), threads, names.values,
                         inputs.values)


UNFINISHED = 1
_lock = threading.RLock()
_open_windows: list[Window] = []


def _rebase(parents: np.ndarray, first_row: int) -> None:
    """Number parents from the window's first row; those opened before it are nobody's parent."""
    parents -= first_row
    parents[parents < 0] = -1


def _listen() -> None:
    want = 0
    for window in _open_windows:
        want |= window.wants
    rows.listen(want)


def _after_fork() -> None:
    """A child starts with empty buffers: what its parent recorded is the parent's to keep."""
    _open_windows.clear()
    rows.clear()
    _listen()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
