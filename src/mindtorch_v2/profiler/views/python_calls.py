"""Python's calls among the events: their numbers, their Python parents, the modules they are calls of."""

from __future__ import annotations

import numpy as np

from ..table.columns import GARBAGE_COLLECTION, MODULE_CALL, PYTHON_SCOPE
from .tree import kept_parents


def is_call(scope: np.ndarray) -> np.ndarray:
    """Rows that are calls of Python, of a builtin or of a module."""
    return (scope >= PYTHON_SCOPE) & (scope < GARBAGE_COLLECTION)


def python_ids(scope: np.ndarray, parent: np.ndarray, order: np.ndarray | slice = slice(None)):
    """Per row the number of the Python call it is, counted from 1 in the given order, and that of its nearest Python
    ancestor; 0 for neither."""
    calls = is_call(scope)
    ids = np.zeros(len(scope) + 1, np.int64)  # the last entry answers for -1
    ids[:-1][order] = np.cumsum(calls[order])
    ids[:-1][~calls] = 0
    return ids[:-1], np.where(calls, ids[kept_parents(parent, calls)], 0)


def module_ids(scope: np.ndarray, name: np.ndarray) -> dict[int, int]:
    """A number for every module that was called, by the number of its name, in the order of the first calls."""
    found: dict[int, int] = {}
    for number in name[scope == MODULE_CALL].tolist():
        found.setdefault(number, len(found))
    return found
