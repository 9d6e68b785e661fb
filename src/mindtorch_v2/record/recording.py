"""What a window hands out: the rows of every thread, and the words they name."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from .layout import ROW_WORD
from .objects import Objects
from .vocabulary import Vocabulary


@dataclass
class ThreadRows:
    """What one thread recorded within a window: rows, memory changes, tensors given, as layout.py describes them."""

    index: int
    os_id: int
    name: str
    first: int
    rows: np.ndarray
    memory: np.ndarray
    tensors: np.ndarray
    log: int = 0  # the number of the log, which threads that ended before may have had; 0: its own

    def __post_init__(self) -> None:
        self.log = self.log or self.index

    def parents(self) -> np.ndarray:
        """Each row's parent by its place among the rows, or -1."""
        back = self.rows["back"].astype(np.int64)
        return np.where((back > 0) & (back <= np.arange(len(back))), np.arange(len(back)) - back, -1)

    def from_time(self, start_ns: int) -> ThreadRows:
        """What began at a moment or later."""
        at, change = np.searchsorted(self.rows["start_ns"], start_ns), np.searchsorted(self.memory["time_ns"], start_ns)
        return replace(self, first=self.first + int(at), rows=self.rows[at:], memory=self.memory[change:])

    def until_time(self, end_ns: int) -> ThreadRows:
        """What began before a moment."""
        at, change = np.searchsorted(self.rows["start_ns"], end_ns), np.searchsorted(self.memory["time_ns"], end_ns)
        return replace(self, rows=self.rows[:at], memory=self.memory[:change])

    def places(self, numbers: np.ndarray) -> np.ndarray:
        """Places among the rows of those that memory or tensors name, or -1."""
        place = (numbers.astype(np.int64) - 1 - self.first) & ROW_WORD
        return np.where((numbers > 0) & (place < len(self.rows)), place, -1)


@dataclass
class Recording:
    """A closed (or still growing) window; ``names`` and ``inputs`` resolve the numbers in the rows."""

    start_ns: int
    end_ns: int
    wall_offset_ns: int
    pid: int
    start_bytes: int
    threads: list[ThreadRows]
    names: Vocabulary = field(repr=False)
    inputs: Vocabulary = field(repr=False)
    objects: Objects = field(repr=False)
    dropped: int = 0  # rows beyond the window's limit
    hidden_calls: int = 0  # Python's calls that were looked at and not shown
    cpu_ns: int | None = None  # how long the process ran on processors; None: not known

    @property
    def size(self) -> int:
        """How many rows and changes of memory there are."""
        return sum(len(thread.rows) + len(thread.memory) for thread in self.threads)
