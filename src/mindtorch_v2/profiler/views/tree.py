"""The tree of events as array code: who contains whom, who is above whom, sums over subtrees."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np


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


def outlived(parent: np.ndarray, end_ns: np.ndarray) -> np.ndarray:
    """Rows that ended before something that began inside them; without these, rows of a thread nest strictly."""
    found = np.zeros(len(parent), bool)
    rows = np.flatnonzero(parent >= 0)
    above = parent[rows]
    while True:
        longer = end_ns[rows] > end_ns[above]
        if not longer.any():
            return found
        found[above[longer]] = True
        rows, above = rows[longer], parent[above[longer]]
        rows, above = rows[above >= 0], above[above >= 0]


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
