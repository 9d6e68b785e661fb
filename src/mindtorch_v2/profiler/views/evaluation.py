"""Evaluation between steps of training: calls of a model that nothing goes back through, in a few steps only."""

from __future__ import annotations

import numpy as np

from ..table.event_table import EventTable
from .row_kinds import RowKinds


def evaluated_until(table: EventTable, kinds: RowKinds, thread: int, ends_ns: list[int]) -> list[int]:
    """For each step, by when it ends: when the evaluation before it had ended, or 0 where there was none.

    Only calls of modules tell. A model that is called in every step without going back through it, such as a teacher,
    belongs to the steps.
    """
    start_ns, end_ns = _untrained_calls(table, kinds, thread)
    stops = np.searchsorted(start_ns, ends_ns)
    counts = np.diff(stops, prepend=0)
    usual = np.median(counts) if len(counts) else 0
    return [int(end_ns[stop - count:stop].max()) if count > usual else 0
            for stop, count in zip(stops.tolist(), counts.tolist())]


def _untrained_calls(table: EventTable, kinds: RowKinds, thread: int) -> tuple[np.ndarray, np.ndarray]:
    """When outermost calls of modules began and ended that nothing went back through."""
    ranges = table.module_ranges
    mine = ranges["thread"] == thread
    start_ns, end_ns = ranges["start_ns"][mine], ranges["end_ns"][mine]
    order = np.lexsort((-end_ns, start_ns))
    start_ns, end_ns = start_ns[order], end_ns[order]
    reached_ns = np.maximum.accumulate(end_ns)
    outermost = np.append(True, start_ns[1:] >= reached_ns[:-1])[:len(start_ns)]
    start_ns, end_ns = start_ns[outermost], end_ns[outermost]
    trained_ns = np.sort(table["start_ns"][kinds.is_trained_through & (table["thread"] == thread)])
    is_trained = np.searchsorted(trained_ns, end_ns) > np.searchsorted(trained_ns, start_ns)
    return start_ns[~is_trained], end_ns[~is_trained]
