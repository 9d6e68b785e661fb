"""A few numbers that a loader and its workers all see: what is to be recorded, and what each worker is doing."""

from __future__ import annotations

from multiprocessing.reduction import DupFd
from time import monotonic_ns

import numpy as np

from ....core.shared_memory import SharedMemory

WANTS = 0  # the first cell: what the loader's process records, 0 for nothing
CELLS = 2  # of each worker: the number of the batch it fetches plus 1, 0 if it fetches none; and since when
CELL_BYTES = 8


class Board:
    """Shared cells; each is written by one process only."""

    def __init__(self, num_workers: int, memory: SharedMemory | None = None):
        self._memory = memory or SharedMemory.new((1 + CELLS * num_workers) * CELL_BYTES)
        self._num_workers = num_workers
        self._cells = self._memory.array().view(np.int64)

    def __reduce__(self):
        return _received, (DupFd(self._memory.fd), self._memory.nbytes, self._num_workers)

    @property
    def wants(self) -> int:
        return int(self._cells[WANTS])

    @wants.setter
    def wants(self, wants: int) -> None:
        self._cells[WANTS] = wants

    def begins(self, worker_id: int, number: int) -> None:
        """A worker begins to fetch a batch."""
        self._cells[2 + CELLS * worker_id] = monotonic_ns()
        self._cells[1 + CELLS * worker_id] = number + 1

    def ends(self, worker_id: int) -> None:
        self._cells[1 + CELLS * worker_id] = 0

    def in_progress(self, worker_id: int) -> tuple[int, int] | None:
        """The batch that a worker fetches and since when; None if it fetches none."""
        number, since_ns = self._cells[1 + CELLS * worker_id:][:CELLS].tolist()
        return (number - 1, since_ns) if number else None


def _received(handle, nbytes: int, num_workers: int) -> Board:
    return Board(num_workers, SharedMemory(handle.detach(), nbytes))
