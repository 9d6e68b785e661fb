"""Stretches of time: how long they are together, and which instant belongs to whom."""

from __future__ import annotations

import numpy as np


def union(start_ns: np.ndarray, end_ns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Stretches that overlap or touch, as one; in the order of time, empty ones left out."""
    some = end_ns > start_ns
    start_ns, end_ns = start_ns[some], end_ns[some]
    if not len(start_ns):
        return start_ns, end_ns
    order = np.argsort(start_ns, kind="stable")
    start_ns, reach_ns = start_ns[order], np.maximum.accumulate(end_ns[order])
    begins = np.append(True, start_ns[1:] > reach_ns[:-1])
    return start_ns[begins], reach_ns[np.append(np.flatnonzero(begins)[1:] - 1, len(reach_ns) - 1)]


def covered_ns(start_ns: np.ndarray, end_ns: np.ndarray, from_ns: int, to_ns: int) -> int:
    """How much of a window stretches cover together."""
    starts, ends = union(np.clip(start_ns, from_ns, to_ns), np.clip(end_ns, from_ns, to_ns))
    return int((ends - starts).sum())


def shares_ns(layers: list[tuple[np.ndarray, np.ndarray]], from_ns: int, to_ns: int) -> list[int]:
    """How much of a window belongs to each layer of stretches; an instant is the first layer's that covers it."""
    starts, ends = np.zeros(0, np.int64), np.zeros(0, np.int64)
    reached, shares = 0, []
    for start_ns, end_ns in layers:
        starts, ends = np.append(starts, start_ns), np.append(ends, end_ns)
        together = covered_ns(starts, ends, from_ns, to_ns)
        shares.append(together - reached)
        reached = together
    return shares


def innermost(start_ns: np.ndarray, end_ns: np.ndarray, at_ns: np.ndarray) -> np.ndarray:
    """Of nested stretches, given by start, the number of the innermost that holds each moment; -1 for none.

    A stretch holds its start, and not its end.
    """
    if not len(start_ns):
        return np.full(len(at_ns), -1)
    above = parents(start_ns, end_ns)
    holder = np.searchsorted(start_ns, at_ns, side="right") - 1
    while True:
        ended = (holder >= 0) & (end_ns[holder] <= at_ns)
        if not ended.any():
            return holder
        holder[ended] = above[holder[ended]]


def parents(start_ns: np.ndarray, end_ns: np.ndarray) -> np.ndarray:
    """Of nested stretches, given by start, the number of the innermost other one around each; -1 for none."""
    above, still_open = [], []
    for number, (start, end) in enumerate(zip(start_ns.tolist(), end_ns.tolist())):
        while still_open and still_open[-1][1] < end or still_open and still_open[-1][1] <= start:
            still_open.pop()
        above.append(still_open[-1][0] if still_open else -1)
        still_open.append((number, end))
    return np.array(above, np.int64)
