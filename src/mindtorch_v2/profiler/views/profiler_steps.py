"""Steps of a loop that calls ``step()`` inside a function: moved to whole Python calls, so that they nest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..table.columns import PYTHON_SCOPE, USER_SCOPE, Picked
from ..table.event_table import EventTable

STEP = "ProfilerStep#"


def adjusted(table: EventTable) -> EventTable:
    """Each step begins where the call that it began in ends, and ends with the calls that it began.

    A step that begins and ends in one and the same call stays as it is.
    """
    is_step = np.array([name.startswith(STEP) for name, _ in table.names], bool)[table["name"]]
    steps = np.flatnonzero(is_step & (table["scope"] == USER_SCOPE))
    start_ns, end_ns, parent = (table[name].copy() for name in ("start_ns", "end_ns", "parent"))
    is_call = table["scope"] >= PYTHON_SCOPE
    for step in steps.tolist():
        same_thread = is_call & (table["thread"] == table["thread"][step])
        begun = same_thread & (table["start_ns"] >= table["start_ns"][step]) & (table["start_ns"] < end_ns[step])
        end_ns[step] = max(end_ns[step], table["end_ns"][begun].max(initial=0))
        around = same_thread & (table["start_ns"] < start_ns[step]) & (table["end_ns"] > start_ns[step])
        start_ns[step] = max(start_ns[step], table["end_ns"][around & (table["end_ns"] < end_ns[step])].max(initial=0))
    _reparent(table, steps, start_ns, parent)
    order = np.concatenate([first + np.argsort(start_ns[first:stop], kind="stable")
                            for first, stop in table.events.runs()] or [np.zeros(0, np.int64)])
    picked = table.pick(order, parent[order])
    events = Picked(picked.events, np.arange(len(order)), start_ns=start_ns[order], end_ns=end_ns[order])
    return replace(picked, events=events)


def _reparent(table: EventTable, steps: np.ndarray, start_ns: np.ndarray, parent: np.ndarray) -> None:
    """What ran before a step's new begin belongs to the call around it, and the step to a call that still goes on."""
    for step in steps.tolist():
        early = (parent == step) & (table["start_ns"] < start_ns[step])
        parent[early] = parent[step]
        while parent[step] >= 0 and table["end_ns"][parent[step]] <= start_ns[step]:
            parent[step] = parent[parent[step]]
