"""Where steps end that nobody marked: with the step of an optimizer, or with the last of those that take turns."""

from __future__ import annotations

import numpy as np

from ..table.columns import PYTHON_SCOPE
from ..table.event_table import EventTable
from ..table.words import optimizer
from .row_kinds import RowKinds

LONGEST_ROUND, LEAST_ROUNDS = 8, 2  # optimizers' steps in one step of training; rounds that show that they take turns


def step_ends(table: EventTable, kinds: RowKinds) -> np.ndarray:
    """Rows of optimizers' steps that end a step of training, by time, on the thread of the first.

    Optimizers that step without a backward pass between them end a step together. So do those that take turns, as a
    GAN's two do, each behind a backward pass of its own: the same ones come again after so many steps of theirs. In
    traces of PyTorch, which do not say whose step it was, everything must come again.
    """
    rows = np.flatnonzero(kinds.is_optimizer & kinds.is_outermost)
    if not len(rows):
        return rows
    rows = rows[np.argsort(table["end_ns"][rows], kind="stable")]
    rows = rows[table["thread"][rows] == table["thread"][rows[0]]]
    back = np.flatnonzero(kinds.is_backward & kinds.is_outermost)
    went_back = [bool(names) for names in _names_until(rows, table, table["name"][back], table["start_ns"][back])]
    if any(went_back):
        rows = rows[[*went_back[1:], True]]
    optimizers = [optimizer(table.names[name]) for name in table["name"][rows].tolist()]
    calls = table.module_ranges
    turns = _round(optimizers if all(optimizers) else
                   list(zip((_callers(table, row) for row in rows.tolist()),
                            _names_until(rows, table, table["name"][back], table["start_ns"][back]),
                            _names_until(rows, table, calls["name"], calls["start_ns"]))))
    return rows[turns - 1::turns]


def _names_until(rows: np.ndarray, table: EventTable, names: np.ndarray, start_ns: np.ndarray) -> list[bytes]:
    """For each optimizer's step, the names of what began since the one before it ended, sorted."""
    order = np.argsort(start_ns, kind="stable")
    stops = np.searchsorted(start_ns[order], table["end_ns"][rows]).tolist()
    return [np.sort(names[order[first:stop]]).tobytes() for first, stop in zip([0, *stops], stops)]


def _callers(table: EventTable, row: int) -> tuple[tuple[int, int], ...]:
    """The Python calls around a row, each with the line that it was called from; none without stacks."""
    callers, row = [], int(table["parent"][row])
    while row >= 0:
        if table["scope"][row] >= PYTHON_SCOPE:
            callers.append((int(table["name"][row]), int(table["sequence"][row])))
        row = int(table["parent"][row])
    return tuple(callers)


def _round(keys: list) -> int:
    """After how many all keys come again, if they do; else 1."""
    longest = min(LONGEST_ROUND, len(keys) // LEAST_ROUNDS)
    return next((turns for turns in range(1, longest + 1) if keys[turns:] == keys[:-turns]), 1)
