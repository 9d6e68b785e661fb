"""Python's calls among the events: their numbers, their Python parents, the modules they are calls of."""

from __future__ import annotations

import numpy as np

from ..table.columns import GARBAGE_COLLECTION, MODULE_CALL, PYTHON_SCOPE
from ..table.event_table import EventTable
from .tree import open_parents


def is_call(scope: np.ndarray) -> np.ndarray:
    """Rows that are calls of Python, of a builtin or of a module."""
    return (scope >= PYTHON_SCOPE) & (scope < GARBAGE_COLLECTION)


def python_ids(table: EventTable, order: np.ndarray | slice = slice(None)) -> tuple[np.ndarray, np.ndarray]:
    """Per row the number of the Python call it is, counted from 1 in the given order, and that of the Python call that
    made it; 0 for neither. A range may keep calls above it that have ended: the caller is one that goes on."""
    calls = is_call(table["scope"])
    ids = np.zeros(len(table) + 1, np.int64)  # the last entry answers for -1
    ids[:-1][order] = np.cumsum(calls[order])
    ids[:-1][~calls] = 0
    above = open_parents(table["parent"], calls, table["start_ns"], table["end_ns"])
    return ids[:-1], np.where(calls, ids[above], 0)


def module_ids(scope: np.ndarray, name: np.ndarray) -> dict[int, int]:
    """A number for every module that was called, by the number of its name, in the order of the first calls."""
    ids: dict[int, int] = {}
    for number in name[scope == MODULE_CALL].tolist():
        ids.setdefault(number, len(ids))
    return ids
