"""Recordings that do not grow without end: keep the newest rows, keep the first, or move older ones to disk.

A limit holds while its window is the only open one: what others listen to is not dropped under them.
"""

from __future__ import annotations

import os
import tempfile

import numpy as np

from . import rows, watch
from .layout import MEMORY, PYTHON_CALL, ROW, TENSOR, UNFINISHED
from .spilled_words import SpilledWords
from .unused_words import Forgotten

POLICIES = ("newest", "first", "spill")
CHANGES_PER_ROW = 2  # memory rows that may stand beside a row: its result is allocated and released
AT_ONCE = 1 << 16  # rows that are moved to disk, or read from it, together
SLACK = 4  # the newest rows are kept in a buffer that has room for a quarter more, so that moving them is seldom


class Limit:
    """How many rows a window may hold, in all threads together, and what happens to those beyond."""

    def __init__(self, events: int, policy: str = "newest"):
        self.events, self.policy = events, policy
        self.begin()

    def begin(self) -> None:
        """Nothing has been dropped or moved to disk yet; what was, in a forked child, is its parent's."""
        self.spills: dict[int, Spill] = {}
        self.words = SpilledWords()
        self._lost = 0
        self._full_ns: int | None = None

    def apply(self) -> None:
        """Let the recorder ask here whenever a thread's buffer is full."""
        most = self.events + (self.events // SLACK + 1 if self.policy == "newest" else 0)
        rows.limit(most, CHANGES_PER_ROW * most, self._full)

    def _full(self, thread: int) -> bool:
        if self.policy == "newest":
            self._drop_oldest(thread)
        elif self.policy == "spill":
            self.spills.setdefault(thread, Spill()).add(*rows.cut(thread))
        elif self._full_ns is None:
            self._full_ns = rows.now_ns()
        return self.policy != "first"

    def _drop_oldest(self, thread: int) -> None:
        end, end_of_memory, _ = rows.marks()[thread]
        before = rows.held(thread)[0]
        rows.drop_before(thread, end - self.events)
        first, first_memory, _ = rows.held(thread)
        self._lost += first - before
        rows.drop_memory(thread, max(0, end_of_memory - first_memory - CHANGES_PER_ROW * self.events))
        watch.forget_optimizers(thread, first)

    def keep_words(self, forgotten: Forgotten) -> None:
        """Words that no row in memory uses: those of rows on disk go there too."""
        if self.policy == "spill":
            self.words.add(forgotten)

    def trimmed(self, threads: list) -> tuple[list, int]:
        """What was recorded, cut to the limit over all threads, and how many rows have been dropped in all."""
        self._lost += rows.dropped()[0]
        if self._full_ns is not None:
            threads = [t.until_time(self._full_ns) for t in threads]
        beyond = sum(len(t.rows) for t in threads) - self.events
        if self.policy == "spill" or beyond <= 0:
            return threads, self._lost
        starts = np.sort(np.concatenate([t.rows["start_ns"] for t in threads]))
        if self.policy == "newest":
            return [t.from_time(starts[beyond]) for t in threads], self._lost + beyond
        return [t.until_time(starts[self.events]) for t in threads], self._lost + beyond


class Spill:
    """One thread's older rows, memory changes and tensors given, in unnamed files that go with the process."""

    def __init__(self):
        self._first: int | None = None
        self._rows, self._memory, self._tensors = OnDisk(ROW), OnDisk(MEMORY), OnDisk(TENSOR)
        self._ends: dict[int, int] = {}

    def add(self, first: int, found: np.ndarray, memory: np.ndarray, tensors: np.ndarray) -> None:
        """Move what a buffer held to disk."""
        self._first = first if self._first is None else self._first
        self._rows.append(found)
        self._memory.append(memory)
        self._tensors.append(tensors)

    def joined(self, thread: int, rest: tuple, unfinished: list[int], end_ns: int) -> tuple:
        """All that the thread recorded, with the ends of rows that were open when they were moved here."""
        first, found, memory, tensors = rest
        self._ends |= rows.ends(thread)
        ends = {number - self._first: (end, 0) for number, end in self._ends.items()}
        ends |= {number - self._first: (end_ns, UNFINISHED) for number in unfinished if number < first}
        return (self._first, Spilled(self._rows, found, ends), Spilled(self._memory, memory, {}),
                Spilled(self._tensors, tensors, {}))


class OnDisk:
    """Rows in a file that grows."""

    def __init__(self, dtype: np.dtype):
        self.dtype = dtype
        self.n = 0
        self._file = tempfile.TemporaryFile()

    def append(self, found: np.ndarray) -> None:
        self._file.write(found.tobytes())
        self._file.flush()
        self.n += len(found)

    def read(self, start: int, stop: int) -> np.ndarray:
        size = self.dtype.itemsize
        return np.frombuffer(os.pread(self._file.fileno(), (stop - start) * size, start * size), self.dtype)


class Spilled:
    """Rows of which the older lie on disk, read like an array: a slice, some rows, or a whole field."""

    def __init__(self, disk: OnDisk, rest: np.ndarray, ends: dict[int, tuple[int, int]]):
        self.dtype = disk.dtype
        self._disk, self._n, self._rest, self._ends = disk, disk.n, rest, ends

    def __len__(self) -> int:
        return self._n + len(self._rest)

    def __getitem__(self, which):
        if isinstance(which, str):
            return np.concatenate([self[at:at + AT_ONCE][which].copy() for at in range(0, len(self) or 1, AT_ONCE)])
        if isinstance(which, slice):
            start, stop, _ = which.indices(len(self))
            return self._read(start, max(start, stop))
        return np.concatenate([self._read(int(at), int(at) + 1) for at in which] or [np.empty(0, self.dtype)])

    def _read(self, start: int, stop: int) -> np.ndarray:
        on_disk = self._disk.read(min(start, self._n), min(stop, self._n))
        found = np.concatenate([on_disk, self._rest[max(0, start - self._n):max(0, stop - self._n)]])
        for at, (end_ns, flags) in self._ends.items():
            if start <= at < stop:
                row = found[at - start:at - start + 1]
                row["end_ns"] = end_ns
                row["flags"] |= np.where(row["scope"] < PYTHON_CALL, flags, 0).astype(np.uint8)
        return found
