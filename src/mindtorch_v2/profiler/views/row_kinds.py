"""What rows are, told by their names and scopes: work on data, going back, the optimizer, ops, Python's calls."""

from __future__ import annotations

import numpy as np

from ..table.cached_property import cached_property
from ..table.columns import PYTHON_SCOPE, USER_SCOPE
from ..table.event_table import EventTable
from . import tree

LOADING = "enumerate(DataLoader)"
OPTIMIZER_STEP, ZERO_GRAD = "Optimizer.step#", "Optimizer.zero_grad#"
EVALUATE = "autograd::engine::evaluate_function: "
STEP = "ProfilerStep#"
BACKWARD_SCOPE = 1


class RowKinds:
    """Of every row of a table, what it is; each answer is worked out once."""

    def __init__(self, table: EventTable):
        self.table = table
        self._scope, self._name = table["scope"], table["name"]

    def named(self, *beginnings: str) -> np.ndarray:
        """Rows whose names begin like this."""
        fits = np.array([name.startswith(beginnings) for name, _ in self.table.names], bool)
        return fits[self._name] if len(fits) else np.zeros(len(self.table), bool)

    def ends_in(self, ending: str) -> np.ndarray:
        """Rows whose names end like this."""
        fits = np.array([name.endswith(ending) for name, _ in self.table.names], bool)
        return fits[self._name] if len(fits) else np.zeros(len(self.table), bool)

    def called(self, *names: str) -> np.ndarray:
        """Rows that have one of these names."""
        fits = np.array([name in names for name, _ in self.table.names], bool)
        return fits[self._name] if len(fits) else np.zeros(len(self.table), bool)

    is_range = cached_property(lambda self: self._scope == USER_SCOPE)
    is_python = cached_property(lambda self: self._scope >= PYTHON_SCOPE)
    is_op = cached_property(lambda self: ~self.is_range & ~self.is_python)
    is_loading = cached_property(lambda self: self.is_range & self.named(LOADING))
    is_optimizer = cached_property(lambda self: self.is_range & self.named(OPTIMIZER_STEP))
    is_zero_grad = cached_property(lambda self: self.is_range & self.named(ZERO_GRAD))
    is_step = cached_property(lambda self: self.is_range & self.named(STEP))
    is_evaluation = cached_property(lambda self: self.is_op & self.named(EVALUATE))

    @cached_property
    def is_backward(self) -> np.ndarray:
        """Going back: the engine's rows, or the nodes themselves where a trace has no others."""
        return self.is_evaluation | (self._scope == BACKWARD_SCOPE)

    @cached_property
    def is_outermost(self) -> np.ndarray:
        """Ops, and ranges that say what they are for, that began in no other of these."""
        told = self.is_op | self.is_loading | self.is_optimizer | self.is_zero_grad
        above = tree.open_parents(self.table["parent"], told, self.table["start_ns"], self.table["end_ns"])
        return told & (above < 0)

    @cached_property
    def forward_of(self) -> np.ndarray:
        """Of every row that goes back under a number of autograd's, the row of the op that it goes back through; the
        last one that has the number on its thread. -1 for all others."""
        table, forward_rows = self.table, np.full(len(self.table), -1)
        numbered = table["sequence"] >= 0
        back = np.flatnonzero(numbered & self.is_backward)
        forward = np.flatnonzero(numbered & self.is_op & ~self.is_backward & (table["forward_thread"] == 0))[::-1]
        if not len(back) or not len(forward):
            return forward_rows
        threads = np.int64(1) + max(int(table["thread"].max()), int(table["forward_thread"].max()))
        wanted = table["sequence"][back] * threads + table["forward_thread"][back]
        given, last = np.unique(table["sequence"][forward] * threads + table["thread"][forward], return_index=True)
        at = np.minimum(np.searchsorted(given, wanted), len(given) - 1)
        forward_rows[back] = np.where(given[at] == wanted, forward[last[at]], -1)
        return forward_rows

    @cached_property
    def is_trained_through(self) -> np.ndarray:
        """Ops that something went back through."""
        marked = np.zeros(len(self.table), bool)
        marked[self.forward_of[self.forward_of >= 0]] = True
        return marked
