"""The tree of events as array code: who contains whom, who is above whom, sums over subtrees."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ..table.columns import USER_SCOPE
from ..table.event_table import EventTable


def containing_parents(parent: np.ndarray, end_ns: np.ndarray) -> np.ndarray:
    """Parents that really contain their children.

    A row's parent is whatever was open when it began. A range that outlives that parent (closed out of order, held
    by a generator) is no child of it: it moves up to the first ancestor that lasts as long, or becomes a root.
    """
    parent = parent.copy()
    while True:
        outlives = (parent >= 0) & (end_ns > end_ns[parent])
        if not outlives.any():
            return parent
        parent[outlives] = parent[parent[outlives]]


def overlapping(table: EventTable) -> np.ndarray:
    """Rows without which those of each thread nest strictly.

    Of two that overlap a range goes, which may end anywhere, rather than a call; of two of a kind, the one that ends
    first.
    """
    overlaps = np.zeros(len(table), bool)
    parent, end_ns = table["parent"], table["end_ns"]
    outlives = (parent >= 0) & (end_ns > end_ns[parent])
    for first, stop in table.events.runs():
        if outlives[first:stop].any():
            overlaps[first:stop] = _overlapping(table["start_ns"][first:stop].tolist(), end_ns[first:stop].tolist(),
                                             (table["scope"][first:stop] == USER_SCOPE).tolist())
    return overlaps


def _overlapping(starts_ns: list[int], ends_ns: list[int], are_ranges: list[bool]) -> list[bool]:
    """The same for the rows of one thread, in the order of their start."""
    overlaps = [False] * len(starts_ns)
    still_open: list[int] = []
    for row, (start_ns, end_ns, is_range) in enumerate(zip(starts_ns, ends_ns, are_ranges)):
        while still_open and ends_ns[still_open[-1]] <= start_ns:
            still_open.pop()
        while still_open and ends_ns[still_open[-1]] < end_ns and not overlaps[row]:
            if is_range and not are_ranges[still_open[-1]]:
                overlaps[row] = True
            else:
                overlaps[still_open.pop()] = True
        if not overlaps[row]:
            still_open.append(row)
    return overlaps


def kept_parents(parent: np.ndarray, keep: np.ndarray) -> np.ndarray:
    """For every row the nearest ancestor that is kept, or -1."""
    return _nearest(parent, lambda above: keep[above])


def open_parents(parent: np.ndarray, keep: np.ndarray, start_ns: np.ndarray, end_ns: np.ndarray) -> np.ndarray:
    """The same where what goes may outlast what stays: the ancestor must not have ended when the row began."""
    return _nearest(parent, lambda above: keep[above] & (end_ns[above] >= start_ns))


def _nearest(parent: np.ndarray, fits: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """For every row the nearest ancestor that fits, or -1."""
    parent = parent.copy()
    while True:
        lost = (parent >= 0) & ~fits(parent)
        if not lost.any():
            return parent
        parent[lost] = parent[parent[lost]]


def depths(parent: np.ndarray) -> np.ndarray:
    """How many ancestors each row has; the distance looked up doubles at every turn."""
    above, depth = parent.copy(), (parent >= 0).astype(np.int64)
    while (above >= 0).any():
        has = above >= 0
        jump = above[has]
        depth[has] += depth[jump]
        above[has] = above[jump]
    return depth


def levels(parent: np.ndarray) -> Iterator[np.ndarray]:
    """All rows that have a parent, the deepest first, a level at a time."""
    depth = depths(parent)
    order = np.argsort(depth, kind="stable")
    edges = np.searchsorted(depth[order], np.arange(1, depth.max(initial=0) + 2))
    for level in range(len(edges) - 1, 0, -1):
        yield order[edges[level - 1]:edges[level]]


def sum_over_subtree(parent: np.ndarray, values: np.ndarray) -> np.ndarray:
    """For every row its own value and those of all its descendants."""
    total = values.astype(np.int64)
    for rows in levels(parent):
        np.add.at(total, parent[rows], total[rows])
    return total


def children_index(parent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows ordered by parent, and where each row's children begin in them: children of i are rows[at[i]:at[i + 1]]."""
    rows = np.argsort(parent, kind="stable")
    return rows, np.searchsorted(parent[rows], np.arange(len(parent) + 1))
