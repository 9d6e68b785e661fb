"""Walks over a table: all its rows and memory changes through one pass, a block at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ..table.columns import BLOCK
from ..table.event_table import EventTable
from ..table.segments import Changes
from .walk import Walk

KINDS = ("i8", "i8", "i1", "i8")
READ = ("start_ns", "end_ns", "name", "parent", "inputs", "scope", "flops")


def walk_table(table: EventTable, words: np.ndarray, **options) -> Walk:
    """The walk when it has been everywhere; ``words`` number the names as they are shown."""
    walk = Walk(memoryview(words), **options)
    recorded, memory = isinstance(table.memory, Changes), table.memory.n_rows > 0
    for run, (first, stop) in enumerate(table.events.runs()):
        if memory:
            walk.thread(_given(table.memory.blocks(run) if recorded else _picked(table, first, stop)))
        for number, columns in table.blocks(first, stop, *READ):
            walk.rows(number, *map(memoryview, columns))
        walk.end()
    if memory and not recorded:
        walk.thread(_given(_picked(table, -1, 0)))  # what happened outside all rows
        walk.end()
    return walk


def _given(blocks: Iterator[tuple[np.ndarray, ...]]) -> Callable[[], tuple | None]:
    """A function that hands out the next block of memory changes, and None when there are no more."""
    def following() -> tuple | None:
        block = next(blocks, None)
        return block and tuple(memoryview(np.ascontiguousarray(cells, kind)) for cells, kind in zip(block, KINDS))

    return following


def _picked(table: EventTable, first: int, stop: int) -> Iterator[tuple[np.ndarray, ...]]:
    """Event, change, seen and time of the changes charged to these rows."""
    event = table.memory["event"]
    rows = np.flatnonzero((event >= first) & (event < stop))
    for begin in range(0, len(rows), BLOCK):
        here = rows[begin:begin + BLOCK]
        yield tuple(table.memory[name][here] for name in ("event", "change", "seen", "time_ns"))
