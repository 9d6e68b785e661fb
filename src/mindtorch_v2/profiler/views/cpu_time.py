"""How long calls ran on a processor: their thread's time there, read now and then, taken as even in between."""

from __future__ import annotations

import numpy as np

from ..table.event_table import EventTable

UNKNOWN = -1  # where nobody asked for it
IDLE = 0.1  # a call that runs for less of its time only waits


def cpu_ns(table: EventTable) -> np.ndarray:
    """The processor time of every row with all it called."""
    begin_ns, end_ns = clocks_ns(table)
    return np.where(begin_ns == UNKNOWN, UNKNOWN, end_ns - begin_ns)


def clocks_ns(table: EventTable) -> tuple[np.ndarray, np.ndarray]:
    """What the processor's clock of its thread said when every row began, and when it ended."""
    begin_ns, end_ns = (np.full(len(table), UNKNOWN, np.int64) for _ in range(2))
    for thread in np.unique(table.cpu_times["thread"]).tolist():
        rows = np.flatnonzero(table["thread"] == thread)
        begin_ns[rows], end_ns[rows] = (clock_ns(table, thread, table[side][rows]) for side in ("start_ns", "end_ns"))
    return begin_ns, end_ns


def clock_ns(table: EventTable, thread: int, time_ns: np.ndarray) -> np.ndarray:
    """What the processor's clock of a thread said at moments."""
    times = table.cpu_times
    moments = np.flatnonzero(times["thread"] == thread)
    moments = moments[np.argsort(times["time_ns"][moments], kind="stable")]
    return np.rint(np.interp(time_ns, times["time_ns"][moments], times["cpu_ns"][moments])).astype(np.int64)


def self_cpu_ns(table: EventTable, ran_ns: np.ndarray) -> np.ndarray:
    """The same without what was called."""
    own_ns, parent = np.maximum(ran_ns, 0), table["parent"]
    called = np.flatnonzero((parent >= 0) & (ran_ns > 0))
    np.subtract.at(own_ns, parent[called], ran_ns[called])
    return np.where(ran_ns == UNKNOWN, UNKNOWN, np.maximum(own_ns, 0))


def ran_ns(table: EventTable, thread: int) -> int:
    """How long a thread ran on a processor, from the first reading to the last."""
    read_ns = table.cpu_times["cpu_ns"][table.cpu_times["thread"] == thread]
    return int(read_ns.max() - read_ns.min()) if len(read_ns) else UNKNOWN
