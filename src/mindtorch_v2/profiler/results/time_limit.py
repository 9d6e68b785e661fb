"""Results within a time limit: the events that could be worked out in time, from the first one on."""

from __future__ import annotations

import logging

import numpy as np

from ...record import rows
from ..table.event_table import EventTable
from ..views.part import kept
from ..views.visible_events import VisibleEvents

FIRST_EVENTS = 4096  # looked at first; then twice as many, as long as there is time
_log = logging.getLogger("torch.autograd.profiler")  # torch's, at whatever address we are


def check(timeout_s: float | None, name: str) -> None:
    """A limit cannot be negative."""
    if timeout_s is not None and timeout_s < 0:
        raise ValueError(f"{name} must be non-negative")


def visible_within(table: EventTable, timeout_s: float | None) -> VisibleEvents:
    """The events of a table, all of them or, where there is a limit, as many as can be worked out before it."""
    if timeout_s is None:
        return VisibleEvents(table)
    start_ns, count = rows.now_ns(), 0
    visible = VisibleEvents(_first(table, 0))
    while rows.now_ns() - start_ns < timeout_s * 1e9:
        count = min(max(2 * count, FIRST_EVENTS), len(table))
        visible = VisibleEvents(_first(table, count))
        len(visible)  # this is what takes the time
        if count == len(table):
            return visible
    _log.warning("Profiler _parse_kineto_results timed out after %.3f seconds, returning partial results with %d "
                 "events", timeout_s, len(visible))
    return visible


def _first(table: EventTable, count: int) -> EventTable:
    """The events that began first, with the memory changes up to the last of them."""
    if count == len(table):
        return table
    start_ns = table["start_ns"]
    keep = np.zeros(len(table), bool)
    keep[np.argsort(start_ns, kind="stable")[:count]] = True
    last_ns = start_ns[keep].max() if count else table.window.start_ns - 1
    return kept(table, keep, table.memory["time_ns"] <= last_ns)
