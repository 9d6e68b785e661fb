"""Evaluation between steps of training: calls of a model that nothing goes back through, in a few steps only."""

from __future__ import annotations

import numpy as np

from ..table.event_table import EventTable
from .row_kinds import RowKinds


def evaluated_until(table: EventTable, kinds: RowKinds, thread: int, ends_ns: list[int]) -> list[int]:
    """For each step, by when it ends: when the evaluation before it had ended, or 0 where there was none."""
    start_ns, end_ns = evaluation_calls(table, kinds, thread, ends_ns)
    step = np.searchsorted(ends_ns, start_ns)
    return [int(end_ns[step == number].max(initial=0)) for number in range(len(ends_ns))]


def evaluation_calls(table: EventTable, kinds: RowKinds, thread: int,
                     ends_ns: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """When the calls of models began and ended that belong to evaluation; all of them, where nothing is trained.

    Only profiles with calls of modules tell. A model that is called in every step without going back through it, such
    as a teacher, belongs to training.
    """
    start_ns, end_ns = _untrained_calls(table, kinds, thread)
    if not kinds.is_backward.any():
        return start_ns, end_ns
    step = np.searchsorted(ends_ns, start_ns)  # behind the last step there may be some, too
    counts = np.bincount(step, minlength=len(ends_ns) + 1)
    rare = (counts > (np.median(counts[:-1]) if len(ends_ns) else 0))[step]
    return start_ns[rare], end_ns[rare]


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
