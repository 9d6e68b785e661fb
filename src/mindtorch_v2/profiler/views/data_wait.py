"""How long each step of training waited for its batches."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..table.event_table import EventTable
from .row_kinds import RowKinds
from .steps import steps


class StepWait(NamedTuple):
    """One step: its name, how long it took, how much of that it waited for data, and the wait for each of its batches,
    in nanoseconds."""

    step: str
    wall_ns: int
    wait_ns: int
    batches: tuple[int, ...]

    @property
    def share(self) -> float:
        """The part of the step that was waiting."""
        return self.wait_ns / self.wall_ns if self.wall_ns else 0.0


def data_wait(table: EventTable) -> list[StepWait]:
    """The steps as views/steps.py finds them, each with the calls of a DataLoader's iterator that began in it."""
    kinds = RowKinds(table)
    loading = np.flatnonzero(kinds.is_loading & kinds.is_outermost)
    starts, lengths = table["start_ns"][loading], table["end_ns"][loading] - table["start_ns"][loading]
    waits = []
    for step in steps(table, kinds):
        within = (table["thread"][loading] == step.thread) & (starts >= step.start_ns) & (starts < step.end_ns)
        waits.append(StepWait(step.name, step.wall, step.data, tuple(lengths[within].tolist())))
    return waits
