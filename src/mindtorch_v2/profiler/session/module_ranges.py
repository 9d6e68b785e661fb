"""What is recorded as rows among the others and is no event: calls of modules by name, and threads' processor time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..table.columns import CPU_TIME, MODULE_RANGE, MODULE_RANGES
from ..table.event_table import EventTable
from ..views.part import kept


def without_rows_aside(table: EventTable, with_modules: bool, with_cpu_time: bool) -> EventTable:
    """The table without these rows; where they were asked for, they stand beside it."""
    scope = table["scope"]
    calls, times = np.flatnonzero(scope == MODULE_RANGE), np.flatnonzero(scope == CPU_TIME)
    ranges = {column.name: table.events.at(column.name, calls) for column in MODULE_RANGES}
    cpu_times = {ours: table.events.at(theirs, times)
                 for ours, theirs in (("time_ns", "start_ns"), ("cpu_ns", "sequence"), ("thread", "thread"))}
    table = kept(table, scope < MODULE_RANGE, np.ones(table.memory.n_rows, bool))
    table = replace(table, module_ranges=ranges) if with_modules else table
    return replace(table, cpu_times=cpu_times) if with_cpu_time else table
