"""Recordings that do not grow without end: keep the newest rows, keep the first, or move older ones to disk.

A limit holds while its window is the only open one: what others listen to is not dropped under them.
"""

from __future__ import annotations

import numpy as np

from . import logs, rows, watch
from .interrupts import uninterrupted
from .journal import Journal

POLICIES = ("newest", "first", "spill")
CHANGES_PER_ROW = 2  # memory rows that may stand beside a row: its result is allocated and released
AT_ONCE = 1 << 16  # rows that are moved to disk together
SLACK = 4  # the newest rows are kept in buffers that have room for a quarter more, so that moving them is seldom
STEPS, FEW_STEPS, SMALL_STEP = 256, 4, 64  # buffers grow by such parts of a large and of a small limit
PATIENCE_S = 1.0  # so long is another thread waited for that reads
RETRY_NS = 100_000_000  # so long a disk that took nothing is left alone


class Limit:
    """How many rows a window may hold, in all threads together, and what happens to those beyond."""

    def __init__(self, events: int, policy: str = "newest"):
        self.events, self.policy = events, policy
        most = events + (events // SLACK + 1 if policy == "newest" else 0)
        self._most, self._step = most, max(1, most // STEPS, min(SMALL_STEP, most // FEW_STEPS))
        self.begin()

    @property
    def spills(self) -> bool:
        return self.policy == "spill"

    def begin(self) -> None:
        """Nothing has been dropped yet."""
        self._full_ns: int | None = None
        self._failed_ns: int | None = None

    def apply(self, lock, journal: Journal | None) -> None:
        """Let the recorder ask here whenever the logs are full."""
        def full(thread: int) -> bool:
            if self._is_closed():
                return False
            return self._under(lock, journal)

        rows.limit(self._most, CHANGES_PER_ROW * self._most, self._step, full)

    def _is_closed(self) -> bool:
        """Whether there is no use in trying to make room."""
        if self._full_ns is not None:
            return True
        return self._failed_ns is not None and rows.now_ns() - self._failed_ns < RETRY_NS

    @uninterrupted
    def _under(self, lock, journal: Journal | None) -> bool:
        """Make room, unless the recorder itself is at work: then there may be a little more."""
        if lock._is_owned():
            return True
        is_mine = False
        try:
            is_mine = lock.acquire(timeout=PATIENCE_S)
            return self._make_room(journal) if is_mine else True
        finally:
            if is_mine:
                lock.release()

    def _make_room(self, journal: Journal | None) -> bool:
        if self.policy == "newest":
            self._drop_oldest()
            return True
        if self.spills:
            has_room = journal is not None and journal.spill()
            self._failed_ns = None if has_room else rows.now_ns()
            return has_room
        if sum(end[0] - logs.held(thread)[0] for thread, end in logs.marks().items()) < self.events:
            return True  # other threads have room that they do not use
        self._full_ns = rows.now_ns()
        return False

    def _drop_oldest(self) -> None:
        """Let go of what began before the newest rows."""
        ends = logs.marks()
        begins = {thread: logs.held(thread) for thread in ends}
        n_rows = sum(end[0] - begins[thread][0] for thread, end in ends.items())
        if n_rows > self.events:
            starts = {thread: logs.read(thread, begins[thread], (end[0], 0, 0))[1]["start_ns"]
                      for thread, end in ends.items() if end[0] > begins[thread][0]}
            beyond = n_rows - self.events
            first_ns = int(np.partition(np.concatenate(list(starts.values())), beyond)[beyond])
            for thread in ends:
                dropped = int(np.searchsorted(starts[thread], first_ns)) if thread in starts else 0
                logs.drop_before(thread, begins[thread][0] + dropped, first_ns)
                watch.forget_optimizers(thread, begins[thread][0] + dropped)
        self._drop_oldest_changes()
        for thread in ends:
            logs.fit(thread, self._step)

    def _drop_oldest_changes(self) -> None:
        times = {thread: logs.read(thread, (end[0], 0, end[2]), end)[2]["time_ns"]
                 for thread, end in logs.marks().items()}
        beyond = sum(map(len, times.values())) - CHANGES_PER_ROW * self.events
        if beyond > 0:
            first_ns = int(np.partition(np.concatenate(list(times.values())), beyond - 1)[beyond - 1]) + 1
            for thread in times:
                logs.drop_before(thread, 0, first_ns)

    def trimmed(self, threads: list) -> list:
        """What was recorded, cut to the limit over all threads."""
        if self._full_ns is not None:
            threads = [t.until_time(self._full_ns) for t in threads]
        beyond = sum(len(t.rows) for t in threads) - self.events
        if self.spills or beyond <= 0:
            return threads
        starts = np.sort(np.concatenate([t.rows["start_ns"] for t in threads]))
        if self.policy == "newest":
            return [t.from_time(starts[beyond]) for t in threads]
        return [t.until_time(starts[self.events]) for t in threads]
