"""Calls of modules by their qualified names: recorded as rows among the others, shown in a table of their own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..table.columns import MODULE_RANGE, MODULE_RANGES
from ..table.event_table import EventTable
from ..views.part import kept


def without_module_ranges(table: EventTable, keep: bool) -> EventTable:
    """The table without these rows; where they were asked for, they stand beside it."""
    is_range = table["scope"] == MODULE_RANGE
    rows = np.flatnonzero(is_range)
    ranges = {column.name: table.events.at(column.name, rows) for column in MODULE_RANGES}
    table = kept(table, ~is_range, np.ones(table.memory.n_rows, bool))
    return replace(table, module_ranges=ranges) if keep else table
