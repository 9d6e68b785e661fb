"""Part of a table: some of its events and memory changes, as if only they had been recorded."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

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
    return replace(table, memory=memory).pick(rows, above[rows])
