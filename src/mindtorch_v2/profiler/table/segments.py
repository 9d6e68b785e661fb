"""Rows as they were recorded, read as declared columns: whole, a block at a time, or a few cells.

Nothing is copied as a whole unless somebody asks for a whole column.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from . import columns
from .columns import BLOCK, Columns
from .words import Numbering

ROW_WORD = 0xFFFFFFFF  # memory names its row by the lower 32 bits of its number plus one


@dataclass(frozen=True)
class Segment:
    """One thread's rows and memory changes in one stretch of recording, as record/layout.py describes them."""

    thread: int
    rows: np.ndarray = field(repr=False)
    changes: np.ndarray = field(repr=False)
    number: int = 0  # the recorder's number of the first row, which changes count from
    names: Numbering | None = None  # none: rows hold places in the table's lists already
    inputs: Numbering | None = None
    first_id: int = 1
    first: int = 0  # the first row's place in the table the segment stands in

    def places(self, changes: np.ndarray) -> np.ndarray:
        """The table's rows that memory changes are charged to, or -1."""
        place = (changes["row"].astype(np.int64) - 1 - self.number) & ROW_WORD
        return np.where((changes["row"] > 0) & (place < len(self.rows)), place + self.first, -1)


class Stored(Columns):
    """The events of a profile, thread by thread, one stretch after the other, and the words of their numbers.

    ``whole`` are columns that somebody else works out, from this one and all at once.
    """

    def __init__(self, segments: Iterable[Segment], names: list, inputs: list, with_inputs: bool = True,
                 whole: dict[str, Callable[[Stored], np.ndarray]] | None = None):
        self.names, self.inputs = names, inputs
        self.with_inputs, self.whole = with_inputs, whole or {}
        self.segments: list[Segment] = []
        at = 0
        for segment in segments:
            self.segments.append(replace(segment, first=at))
            at += len(segment.rows)
        self._firsts = [segment.first for segment in self.segments]
        super().__init__(columns.EVENTS, at)

    def runs(self) -> Iterator[tuple[int, int]]:
        return ((s.first, s.first + len(s.rows)) for s in self.segments)

    def make(self, name: str) -> np.ndarray:
        if name in self.whole:
            return self.whole[name](self)
        whole = np.empty(self.n_rows, self.types[name])
        for first, stop in self.runs():
            for begin in range(first, stop, BLOCK):
                end = min(begin + BLOCK, stop)
                whole[begin:end], = self.block((name,), begin, end)
        return whole

    def block(self, names: tuple[str, ...], first: int, stop: int) -> list[np.ndarray]:
        segment = self._segment(first)
        rows, numbers = segment.rows[first - segment.first:stop - segment.first], np.arange(first, stop)
        return [self[name][first:stop] if name in self._made or name in self.whole else
                np.ascontiguousarray(self._column(name, segment, rows, numbers), self.types[name]) for name in names]

    def at(self, name: str, rows: np.ndarray) -> np.ndarray:
        if name in self._made or name in self.whole:
            return self[name][rows]
        values = np.empty(len(rows), self.types[name])
        for segment in self.segments:
            here = (rows >= segment.first) & (rows < segment.first + len(segment.rows))
            values[here] = self._column(name, segment, segment.rows[rows[here] - segment.first], rows[here])
        return values

    def _segment(self, row: int) -> Segment:
        return self.segments[bisect_right(self._firsts, row) - 1]

    def _column(self, name: str, segment: Segment, rows: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """A column of rows of a segment, given with their numbers in the table."""
        return DERIVED[name](self, segment, rows, numbers) if name in DERIVED else rows[name]


def _id(stored, segment, rows, numbers):
    return numbers - segment.first + segment.first_id


def _parent(stored, segment, rows, numbers):
    parent = numbers - rows["back"]
    return np.where((rows["back"] > 0) & (parent >= segment.first), parent, -1)


def _name(stored, segment, rows, numbers):
    return rows["name"] if segment.names is None else segment.names.places(rows["name"])


def _inputs(stored, segment, rows, numbers):
    if not stored.with_inputs:  # another profile that listened at the same time may have asked for them
        return np.full(len(rows), -1)
    return rows["inputs"] if segment.inputs is None else segment.inputs.places(rows["inputs"])


def _thread(stored, segment, rows, numbers):
    return np.full(len(rows), segment.thread)


def _none(stored, segment, rows, numbers):
    return np.zeros(len(rows))


# Columns that are not simply a field of the recorder's rows.
DERIVED = {"id": _id, "parent": _parent, "name": _name, "inputs": _inputs, "thread": _thread, "flops": _none,
           "record": _none}


class Changes(Columns):
    """The memory changes of all threads in the order of time, with the bytes alive after each."""

    def __init__(self, segments: list[Segment], start_bytes: int):
        super().__init__(columns.MEMORY, sum(len(s.changes) for s in segments))
        self._segments, self._start_bytes = segments, start_bytes

    def blocks(self, run: int) -> Iterator[tuple[np.ndarray, ...]]:
        """Event, change, seen and time of the changes of one run of rows, as they were recorded."""
        segment = self._segments[run]
        for begin in range(0, len(segment.changes), BLOCK):
            changes = segment.changes[begin:begin + BLOCK]
            yield segment.places(changes), changes["change"], changes["place"] & 1, changes["time_ns"]

    def make(self, name: str) -> np.ndarray:
        if name == "total":
            return self._start_bytes + np.cumsum(self["change"])
        return np.concatenate([OF_CHANGES[name](s, s.changes) for s in self._segments])[self._order()]

    def _order(self) -> np.ndarray | slice:
        if len(self._segments) == 1:
            return slice(None)
        return np.argsort(np.concatenate([s.changes["time_ns"] for s in self._segments]), kind="stable")


OF_CHANGES = {
    "time_ns": lambda segment, changes: changes["time_ns"],
    "address": lambda segment, changes: changes["place"] >> 1,
    "change": lambda segment, changes: changes["change"],
    "event": lambda segment, changes: segment.places(changes),
    "thread": lambda segment, changes: np.full(len(changes), segment.thread),
    "seen": lambda segment, changes: changes["place"] & 1,
}
