"""Steps of a loop that calls ``step()`` inside a function: moved to whole Python calls, so that they nest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..table.columns import PYTHON_SCOPE, UNFINISHED, USER_SCOPE, Picked
from ..table.event_table import EventTable

STEP = "ProfilerStep#"


def adjusted(table: EventTable) -> EventTable:
    """Each step ends with the calls that it began, and the next one begins there.

    The last one, in whose call the profile ended, lies inside that call; a step that begins and ends in one and the
    same call stays as it is.
    """
    is_step = np.array([name.startswith(STEP) for name, _ in table.names], bool)[table["name"]]
    steps = np.flatnonzero(is_step & (table["scope"] == USER_SCOPE)).tolist()
    start_ns, end_ns, parent = (table[name].copy() for name in ("start_ns", "end_ns", "parent"))
    for step in steps:
        start_ns[step], end_ns[step] = _times(table, step)
    for step in steps:
        _reparent(table, step, start_ns[step], parent)
    order = np.concatenate([first + np.argsort(start_ns[first:stop], kind="stable")
                            for first, stop in table.events.runs()] or [np.zeros(0, np.int64)])
    picked = table.pick(order, parent[order])
    events = Picked(picked.events, np.arange(len(order)), start_ns=start_ns[order], end_ns=end_ns[order])
    return replace(picked, events=events)


def _times(table: EventTable, step: int) -> tuple[int, int]:
    """When a step begins and ends."""
    starts, ends = table["start_ns"], table["end_ns"]
    start_ns, end_ns = int(starts[step]), int(ends[step])
    of_thread = table["thread"] == table["thread"][step]
    calls = of_thread & (table["scope"] >= PYTHON_SCOPE)
    around = calls & (starts < start_ns) & (ends > start_ns)
    begun = calls & (starts >= start_ns) & (starts < end_ns) & (ends > end_ns)
    moments = np.concatenate([starts[of_thread], ends[around], [table.window.end_ns]])
    if (begun & ((table["flags"] & UNFINISHED) > 0)).any():
        return _between(moments, int(starts[begun].min())), end_ns
    if begun.any():
        end_ns = _between(moments, int(ends[begun].max()))
    left = ends[around & (ends < end_ns)]
    return (_between(np.append(moments, end_ns), int(left.max())) if len(left) else start_ns), end_ns


def _between(moments: np.ndarray, time_ns: int) -> int:
    """A time between another and the next moment, so that what ended or began then is clearly outside: who reads a
    trace adds start and length as floats."""
    following = moments[moments > time_ns]
    return (time_ns + int(following.min())) // 2 if len(following) else time_ns


def _reparent(table: EventTable, step: int, start_ns: int, parent: np.ndarray) -> None:
    """What ran before a step's new begin belongs to the call around it, and the step to the call it begins in."""
    early = np.flatnonzero((parent == step) & (table["start_ns"] < start_ns))
    parent[early] = parent[step]
    holding = [row for row in early.tolist() if table["end_ns"][row] > start_ns]
    if holding:
        parent[step] = holding[-1]
        parent[np.flatnonzero((parent == holding[-1]) & (table["start_ns"] >= start_ns)
                              & (table["start_ns"] < table["end_ns"][step])
                              & (np.arange(len(parent)) != step))] = step
    while parent[step] >= 0 and table["end_ns"][parent[step]] <= start_ns:
        parent[step] = parent[parent[step]]
