"""Flame graphs: calls with the same names in the same order are one frame. Weights are own times, which add up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..table.columns import OF_DEVICE, OF_MEMORY
from . import tree
from .op_table import row_kinds
from .visible_events import VisibleEvents

NO_FRAME = -1
MOST_CALLERS = 100  # a recursion would have frames by the square of its depth


@dataclass(frozen=True)
class Frames:
    """One number per frame; a parent stands before its children. ``word`` is a place in ``words``."""

    words: list[str]
    parent: np.ndarray
    word: np.ndarray
    kind: np.ndarray
    self_ns: np.ndarray
    total_ns: np.ndarray
    count: np.ndarray

    def __len__(self) -> int:
        return len(self.parent)

    def path(self, frame: int) -> list[str]:
        """The names from the outermost frame to this one."""
        names = []
        while frame >= 0:
            names.append(self.words[self.word[frame]])
            frame = int(self.parent[frame])
        return names[::-1]


def top_down(visible: VisibleEvents, self_ns: np.ndarray | None = None) -> Frames:
    """Who called whom: Python's calls, ranges and ops, from the outermost on; threads are together. Weights are the
    rows' own times, or others that are given."""
    self_ns = visible.self_ns if self_ns is None else self_ns
    table, (words, number), kind = visible.table, visible.keys, row_kinds(visible.table)
    of_frames = np.flatnonzero((table["flags"] & (OF_DEVICE | OF_MEMORY)) == 0)
    depth = tree.depths(table["parent"])[of_frames]
    by_depth = of_frames[np.argsort(depth, kind="stable")]
    edges = np.cumsum(np.bincount(depth))[:-1] if len(depth) else []
    frame_of = np.full(len(table) + 1, NO_FRAME)  # the last entry answers for -1
    columns: list[list[np.ndarray]] = []
    n_frames = 0
    for rows in np.split(by_depth, edges) if len(by_depth) else ():
        keys = ((frame_of[table["parent"][rows]] + 1) * len(words) + number[rows]) * (kind.max() + 1) + kind[rows]
        _, first, group = np.unique(keys, return_index=True, return_inverse=True)
        order = np.argsort(first, kind="stable")  # in the order in which they first appear
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        first, group = rows[first[order]], place[group.ravel()]
        own_ns = np.zeros(len(first), np.int64)
        np.add.at(own_ns, group, self_ns[rows])
        columns.append([frame_of[table["parent"][first]], number[first], kind[first], own_ns,
                        np.bincount(group, minlength=len(first))])
        frame_of[rows] = n_frames + group
        n_frames += len(first)
    return _frames(words, columns)


def bottom_up(frames: Frames) -> Frames:
    """Who was called by whom: each name with all its own time, and inside it its callers, the nearest MOST_CALLERS."""
    frame, weight = np.flatnonzero(frames.self_ns > 0), frames.self_ns[frames.self_ns > 0]
    count, parent = frames.count[frame], np.full(len(frame), NO_FRAME)
    columns: list[list[np.ndarray]] = []
    n_frames, caller = 0, frame
    for left in range(MOST_CALLERS, -1, -1):
        if not len(frame):
            break
        keys = ((parent + 1) * len(frames.words) + frames.word[caller]) * (frames.kind.max() + 1) + frames.kind[caller]
        _, first, group = np.unique(keys, return_index=True, return_inverse=True)
        group = group.ravel()
        total_ns, calls = np.zeros((2, len(first)), np.int64)
        np.add.at(total_ns, group, weight)
        np.add.at(calls, group, count)
        columns.append([parent[first], frames.word[caller[first]], frames.kind[caller[first]], total_ns, calls])
        above = frames.parent[caller]
        ends = above < 0 if left else np.ones(len(above), bool)
        # What has no caller stays with this frame; the rest goes on to the callers.
        own_ns = np.zeros(len(first), np.int64)
        np.add.at(own_ns, group[ends], weight[ends])
        columns[-1][3] = own_ns
        parent = (n_frames + group)[~ends]
        n_frames += len(first)
        frame, caller, weight, count = frame[~ends], above[~ends], weight[~ends], count[~ends]
    return _frames(frames.words, columns)


def _frames(words: list[str], columns: list[list[np.ndarray]]) -> Frames:
    empty = [np.zeros(0, np.int64)] * 5
    parent, word, kind, self_ns, count = (np.concatenate(cells) for cells in zip(empty, *columns))
    return Frames(words, parent, word, kind, self_ns, tree.sum_over_subtree(parent, self_ns), count)


def largest(frames: Frames, most: int) -> Frames:
    """No more frames than that, the longest; the time of those that go is their nearest kept callers' own."""
    if len(frames) <= most:
        return frames
    rank = np.argsort(-frames.total_ns, kind="stable")[:most]
    keep = np.zeros(len(frames), bool)
    keep[rank] = True
    above = tree.kept_parents(frames.parent, keep)  # a caller lasts as long as its calls, so callers are kept first
    self_ns, gone = frames.self_ns.copy(), np.flatnonzero(~keep & (above >= 0))
    np.add.at(self_ns, above[gone], frames.self_ns[gone])
    place = np.append(np.cumsum(keep) - 1, NO_FRAME)
    rows = np.flatnonzero(keep)
    return Frames(frames.words, place[above[rows]], frames.word[rows], frames.kind[rows], self_ns[rows],
                  frames.total_ns[rows], frames.count[rows])
