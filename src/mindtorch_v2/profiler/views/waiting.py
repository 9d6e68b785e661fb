"""Who only waits: calls that sleep until something comes, and threads that do nothing else."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from ..table.event_table import EventTable
from . import intervals
from .cpu_time import IDLE, UNKNOWN, ran_ns
from .row_kinds import RowKinds
from .visible_events import VisibleEvents

# Builtins as the recorder names them, and functions of the standard library, by file and name.
BUILTIN = re.compile(r"^<(?:built-in )?(?:method|function) '?(?:acquire|select|poll|epoll_wait|kevent|control|recv\w*|"
                     r"accept|wait|sleep|sigwait|clock_nanosleep)'?(?: of |>)")
FUNCTION = re.compile(r"(?:^|[/\\])(?:selectors\.py\(\d+\): select|queue\.py\(\d+\): get|"
                      r"threading\.py\(\d+\): (?:wait|wait_for|join|acquire|_wait_for_tstate_lock)|"
                      r"connection\.py\(\d+\): (?:wait|_wait|poll|_poll|recv|recv_bytes|_recv|accept)|"
                      r"socket\.py\(\d+\): (?:accept|readinto)|popen_fork\.py\(\d+\): (?:wait|poll)|"
                      r"_base\.py\(\d+\): (?:result|wait))$")
MOSTLY = 0.9  # a thread that waits for so much of its time does nothing else


def waits(name: str) -> bool:
    """Whether a call by this name waits for something."""
    return BUILTIN.match(name) is not None or FUNCTION.search(name) is not None


def waiting_ns(table: EventTable, kinds: RowKinds, self_ns: np.ndarray) -> np.ndarray:
    """Of every row, its own time if it waits; it is not known of profiles without stacks."""
    does_wait = np.array([waits(name) for name, _ in table.names], bool)
    if not does_wait.any():
        return np.zeros(len(table), np.int64)
    return np.where(kinds.is_python & does_wait[table["name"]], self_ns, 0)


class ThreadRow(NamedTuple):
    """One thread: how many rows and ops it has, how long any of them ran, and how much of that it only waited."""

    index: int
    name: str
    os_id: int
    pid: int
    events: int
    ops: int
    busy_ns: int
    waiting_ns: int
    cpu_ns: int = UNKNOWN  # on a processor, while the profile recorded

    @property
    def only_waits(self) -> bool:
        """Whether it need not be looked at."""
        if self.ops or not self.busy_ns:
            return False
        idles = self.cpu_ns != UNKNOWN and self.cpu_ns < IDLE * self.busy_ns
        return idles or self.waiting_ns >= MOSTLY * self.busy_ns


def thread_table(table: EventTable, kinds: RowKinds, visible: VisibleEvents) -> list[ThreadRow]:
    """All threads, those that work first and of them the busiest; events and ops are counted as events() shows them."""
    waited_ns, rows = waiting_ns(table, kinds, visible.cells.self_ns), []
    is_op = kinds.is_op & visible.cells.kept
    for thread in table.threads:
        mine = np.flatnonzero(table["thread"] == thread.index)
        roots = mine[table["parent"][mine] < 0]
        busy_ns = intervals.covered_ns(table["start_ns"][roots], table["end_ns"][roots], table.window.start_ns,
                                       table.window.end_ns)
        n_events = int((visible.table["thread"] == thread.index).sum())
        rows.append(ThreadRow(thread.index, thread.name, thread.os_id, table.pid_of(thread), n_events,
                              int(is_op[mine].sum()), busy_ns, int(waited_ns[mine].sum()), ran_ns(table, thread.index)))
    return sorted(rows, key=lambda row: (row.only_waits, -(row.busy_ns - row.waiting_ns), row.index))
