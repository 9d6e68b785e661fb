"""Tracks: the slices of a thread or queue that nest strictly, as beginnings and ends in the order of time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..table.event_table import EventTable
from ..views import tree

OVERLAPPING = "overlapping ranges"
NO_THREAD = -1


class Track(NamedTuple):
    """One track. ``row`` is the row of the slice that begins or ends, of events or, on a device, of its activities."""

    title: str
    pid: int
    tid: int
    thread: int  # our number of it; NO_THREAD of queues and of ranges that overlap
    is_thread: bool  # rather than a queue of a device, or ranges that do not fit among the calls of their thread
    of_device: bool
    row: np.ndarray
    is_end: np.ndarray
    time_ns: np.ndarray

    def names(self, table: EventTable) -> np.ndarray:
        """The number of the name of what begins or ends."""
        return (table.device if self.of_device else table.events)["name"][self.row]


def by_appearance(numbers: np.ndarray) -> tuple[list[int], np.ndarray]:
    """The distinct numbers in the order in which they first come, and the place of each number among them."""
    distinct, first, at = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return distinct[order].tolist(), place[at.ravel()]


def tracks(table: EventTable) -> Iterator[Track]:
    """Threads in their order, behind each its ranges that overlap something, then the queues of devices."""
    overlaps = tree.overlapping(table)
    start_ns, end_ns = table["start_ns"], table["end_ns"]
    for thread in table.threads:
        rows = np.flatnonzero(table["thread"] == thread.index)
        rows = rows[np.argsort(start_ns[rows], kind="stable")]
        facts = table.pid_of(thread), thread.os_id
        yield Track(thread.name, *facts, thread.index, True, False, *_in_order(rows[~overlaps[rows]], start_ns, end_ns))
        for lane in _lanes(rows[overlaps[rows]], start_ns, end_ns):
            title = f"{thread.name}: {OVERLAPPING}"
            yield Track(title, *facts, NO_THREAD, False, False, *_in_order(lane, start_ns, end_ns))
    yield from _queues(table)


def _queues(table: EventTable) -> Iterator[Track]:
    device, pids = table.device, {thread.index: table.pid_of(thread) for thread in table.threads}
    places = list(zip(device["device_index"].tolist(), device["queue"].tolist()))
    start_ns, end_ns = device["start_ns"], device["end_ns"]
    for index, queue in sorted(set(places)):
        rows = np.flatnonzero([place == (index, queue) for place in places])
        rows = rows[np.argsort(start_ns[rows], kind="stable")]
        pid = pids.get(int(device["thread"][rows[0]]), table.window.pid)
        for lane in _lanes(rows, start_ns, end_ns):
            title = f"{table.window.device or 'device'} {index}, stream {queue}"
            yield Track(title, pid, queue, NO_THREAD, False, True, *_in_order(lane, start_ns, end_ns))


def _lanes(rows: np.ndarray, start_ns: np.ndarray, end_ns: np.ndarray) -> list[np.ndarray]:
    """Rows, in the order of their start, put side by side, so that in no lane two of them overlap."""
    lanes: list[list[int]] = []
    free_from: list[int] = []
    for row, start, end in zip(rows.tolist(), start_ns[rows].tolist(), end_ns[rows].tolist()):
        lane = next((place for place, time_ns in enumerate(free_from) if time_ns <= start), len(lanes))
        if lane == len(lanes):
            lanes.append([])
            free_from.append(end)
        lanes[lane].append(row)
        free_from[lane] = end
    return [np.array(lane) for lane in lanes]


def _in_order(rows: np.ndarray, start_ns: np.ndarray, end_ns: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows that nest, in the order of their start, as beginnings and ends: the row, whether it ends, and when."""
    order: list[int] = []
    still_open: list[tuple[int, int]] = []
    for row, start, end in zip(rows.tolist(), start_ns[rows].tolist(), end_ns[rows].tolist()):
        while still_open and still_open[-1][0] <= start:
            order.append(~still_open.pop()[1])
        order.append(row)
        still_open.append((end, row))
    order += [~row for _, row in reversed(still_open)]
    code = np.array(order, np.int64)
    is_end = code < 0
    row = np.where(is_end, ~code, code)
    return row, is_end, np.where(is_end, end_ns[row], start_ns[row]) if len(row) else row
