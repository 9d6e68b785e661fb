"""Part of a table: some of its events and memory changes, as if only they had been recorded."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..table.columns import Columns
from ..table.event_table import EventTable
from .tree import open_parents


def kept(table: EventTable, keep: np.ndarray, keep_memory: np.ndarray) -> EventTable:
    """Part of a table; children and memory of an event that goes belong to the nearest one that stays."""
    if keep.all() and keep_memory.all():
        return table
    above = open_parents(table["parent"], keep, table["start_ns"], table["end_ns"])
    memory = {name: array[keep_memory] for name, array in table.memory.items()}
    inside = memory["event"] >= 0
    event = memory["event"][inside]
    memory["event"][inside] = np.where(keep[event], event, above[event])
    rows = np.flatnonzero(keep)
    device, device_memory = (_credited(table, columns, keep, above) for columns in (table.device, table.device_memory))
    return replace(table, memory=memory, device=device, device_memory=device_memory).pick(rows, above[rows])


def _credited(table: EventTable, columns: Columns, keep: np.ndarray, above: np.ndarray) -> Columns | dict:
    """What a device did for events that go, credited to the nearest ones that stay."""
    if not columns.n_rows:
        return columns
    row = table.rows_of(columns["event"])
    inside = row >= 0
    row[inside] = np.where(keep[row[inside]], row[inside], above[row[inside]])
    return dict(columns, event=np.where(row >= 0, table["id"][row], 0))
