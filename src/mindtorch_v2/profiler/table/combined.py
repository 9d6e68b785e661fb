"""Tables of several processes as one: on one clock, with ids and threads of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from .columns import Columns
from .event_table import EventTable, Thread, joined
from .identities import Identities

FIRST_FREE_PID = (1 << 22) + 1  # above all numbers that Linux gives to processes
RECORDED = ("record_shapes", "profile_memory", "with_flops", "with_stack", "arrows")


def combined(tables: list[EventTable], hosts: list[str]) -> EventTable:
    """All events of all tables. Times are those of the first table's clock; processes of different machines that have
    the same number get others."""
    moved, next_id, next_thread, next_launch = [], 1, 1, 1
    pids = _Pids()
    for table, host in zip(tables, hosts):
        part = _moved(table, tables[0].window.wall_offset_ns, next_id, next_thread, partial(pids.of, host))
        part = replace(part, device=dict(part.device, correlation=part.device["correlation"] + next_launch))
        moved.append(part)
        next_launch = max(next_launch, int(part.device["correlation"].max(initial=0)) + 1)
        next_id = max(next_id, int(part["id"].max(initial=0)) + 1)
        next_thread = 1 + max([next_thread - 1, int(part["forward_thread"].max(initial=0)),
                               *(thread.index for thread in part.threads)])
    table = joined(moved)
    windows = [part.window for part in moved]
    window = replace(windows[0], start_ns=min(w.start_ns for w in windows), end_ns=max(w.end_ns for w in windows),
                     dropped=sum(w.dropped for w in windows), overflow=_overflow(windows),
                     device=next((w.device for w in windows if w.device), ""),
                     **{name: any(getattr(w, name) for w in windows) for name in RECORDED})
    order = np.argsort(table.memory["time_ns"], kind="stable")
    return replace(table, window=window, memory={name: cells[order] for name, cells in table.memory.items()})


def _overflow(windows: list) -> str:
    """What became of events beyond the limit, in the first profile that had more."""
    return next((window.overflow for window in windows if window.dropped), windows[0].overflow)


class _Pids:
    """Numbers of processes: their own, unless that of another machine's process is the same."""

    def __init__(self):
        self._numbers: dict[tuple[str, int], int] = {}

    def of(self, host: str, pid: int) -> int:
        if (host, pid) not in self._numbers:
            taken = set(self._numbers.values())
            self._numbers[host, pid] = pid if pid not in taken else max(FIRST_FREE_PID, max(taken) + 1)
        return self._numbers[host, pid]


def _moved(table: EventTable, wall_offset_ns: int, first_id: int, first_thread: int,
           pid_of: Callable[[int], int]) -> EventTable:
    """A table on another clock, its ids from one number on and its threads from another."""
    later_ns = table.window.wall_offset_ns - wall_offset_ns
    add_to_id = first_id - int(table["id"].min(initial=np.iinfo(np.int64).max)) if len(table) else 0
    forward = np.unique(table["forward_thread"])
    known = [thread.index for thread in table.threads]
    numbers = {index: first_thread + place for place, index in
               enumerate([*known, *(n for n in forward.tolist() if n and n not in known)])}
    events = dict(table.events, id=table["id"] + add_to_id, start_ns=table["start_ns"] + later_ns,
                  end_ns=table["end_ns"] + later_ns, thread=_renumbered(table["thread"], numbers),
                  forward_thread=_renumbered(table["forward_thread"], numbers))
    memory = dict(table.memory, time_ns=table.memory["time_ns"] + later_ns,
                  thread=_renumbered(table.memory["thread"], numbers))
    device = _moved_activity(table.device, ("launch_ns", "start_ns", "end_ns"), later_ns, add_to_id, numbers)
    device_memory = _moved_activity(table.device_memory, ("time_ns",), later_ns, add_to_id, numbers)
    ranges = table.module_ranges
    ranges = dict(ranges, start_ns=ranges["start_ns"] + later_ns, end_ns=ranges["end_ns"] + later_ns,
                  thread=_renumbered(ranges["thread"], numbers))
    cpu_times = dict(table.cpu_times, time_ns=table.cpu_times["time_ns"] + later_ns,
                     thread=_renumbered(table.cpu_times["thread"], numbers))
    threads = tuple(Thread(numbers[t.index], t.os_id, t.name, pid_of(table.pid_of(t))) for t in table.threads)
    window = replace(table.window, wall_offset_ns=wall_offset_ns, start_ns=table.window.start_ns + later_ns,
                     end_ns=table.window.end_ns + later_ns, pid=pid_of(table.window.pid))
    return replace(table, events=events, memory=memory, threads=threads, window=window,
                   identities=Renamed(table, add_to_id), device=device, device_memory=device_memory,
                   module_ranges=ranges, cpu_times=cpu_times)


def _moved_activity(columns: Columns, times: tuple[str, ...], later_ns: int, add_to_id: int,
                    numbers: dict[int, int]) -> dict[str, np.ndarray]:
    """What a device did, on another clock, by other ids and threads."""
    event = np.where(columns["event"] > 0, columns["event"] + add_to_id, 0)
    return dict(columns, event=event, thread=_renumbered(columns["thread"], numbers),
                **{name: columns[name] + later_ns for name in times})


def _renumbered(threads: np.ndarray, numbers: dict[int, int]) -> np.ndarray:
    """Numbers of threads by their new ones; 0 stands for none, and stays."""
    present, at = np.unique(threads, return_inverse=True)
    return np.array([numbers.get(index, 0) for index in present.tolist()], np.int32)[at]


class Renamed:
    """The identities of a table whose ids have moved; of events that the table leaves out, nothing."""

    def __init__(self, table: EventTable, add_to_id: int):
        self._identities, self._ids, self._add_to_id = table.identities, table["id"], add_to_id

    def __call__(self) -> Identities:
        known = self._identities()
        rows = [cells[np.isin(cells["event"], self._ids)] for cells in known[:3]]
        for cells in rows:
            cells["event"] += self._add_to_id
        return Identities(*rows, known.modules, known.optimizers)
