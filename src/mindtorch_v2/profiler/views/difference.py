"""Two profiles side by side: rows matched by name and shapes, with the time per step and how sure its change is."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .digest import Digest
from .op_table import KINDS, grouped, own_ns, row_kinds, shape_texts
from .steps import PHASES, step_of

SURE = 1.96  # standard errors: 95 of 100 changes by chance are smaller
FEW_STEPS = 2  # with fewer, nothing is known of the spread


class Side(NamedTuple):
    """One profile's part of a row, per step: calls, nanoseconds of its own with their standard error, bytes."""

    count: float
    self_ns: float
    error_ns: float
    self_bytes: float


NOTHING = Side(0.0, 0.0, 0.0, 0.0)


class DifferenceRow(NamedTuple):
    """A row of both profiles, or of one."""

    name: str
    kind: str
    shapes: str
    before: Side
    after: Side

    @property
    def change_ns(self) -> float:
        return self.after.self_ns - self.before.self_ns

    @property
    def error_ns(self) -> float:
        """By how much the change may be off: half of its 95 % confidence interval."""
        return SURE * math.hypot(self.before.error_ns, self.after.error_ns)

    @property
    def is_sure(self) -> bool:
        """Whether the change is more than the steps differ among themselves; one step alone says nothing."""
        return self.error_ns > 0 and abs(self.change_ns) > self.error_ns or self.before.count != self.after.count


class Difference(NamedTuple):
    """The steps of both, by phase, and all rows, those that changed most first."""

    phases: list[DifferenceRow]
    rows: list[DifferenceRow]


def difference(before: Digest, after: Digest) -> Difference:
    """What changed from one profile to the other; rows are matched by name alone where one of them has no shapes."""
    by_shapes = all((digest.table["inputs"] >= 0).any() for digest in (before, after))
    sides = _sides(before, by_shapes), _sides(after, by_shapes)
    keys = sorted(set(sides[0]) | set(sides[1]))
    rows = [DifferenceRow(*key, *(side.get(key, NOTHING) for side in sides)) for key in keys]
    rows.sort(key=lambda row: (-abs(row.change_ns), row.name, row.shapes))
    phases = [DifferenceRow(phase, "step", "", *(_phase(digest, phase) for digest in (before, after)))
              for phase in ("wall", *PHASES)]
    return Difference(phases, rows)


def _phase(digest: Digest, phase: str) -> Side:
    values = np.array([getattr(step, phase) for step in digest.steps], np.float64)
    return Side(1.0, float(values.mean()), _error(values), 0.0) if len(values) else NOTHING


def _sides(digest: Digest, by_shapes: bool) -> dict[tuple[str, str, str], Side]:
    """Per step, by name, kind and shapes; what ran outside all steps is left out."""
    visible, n_steps = digest.visible, len(digest.steps)
    if not n_steps or not len(visible):
        return {}
    groups, first, n_groups = grouped(visible, by_shapes, by_stack=False)
    step = step_of(digest.steps, visible.table["start_ns"])
    inside = np.flatnonzero(step >= 0)
    count, self_ns, self_bytes = np.zeros((3, n_groups, n_steps), np.int64)
    for sums, cells in ((count, 1), (self_ns, own_ns(visible)[inside]), (self_bytes, visible.self_bytes[inside])):
        np.add.at(sums, (groups[inside], step[inside]), cells)
    (words, number), kinds, (shapes, texts) = visible.keys, row_kinds(visible.table), shape_texts(visible.table)
    return {(words[number[row]], KINDS[kinds[row]], texts[shapes[row]] if by_shapes else ""):
            Side(float(count[group].mean()), float(self_ns[group].mean()), _error(self_ns[group]),
                 float(self_bytes[group].mean()))
            for group, row in enumerate(first.tolist()) if count[group].any()}


def _error(values: np.ndarray) -> float:
    """The standard error of a mean."""
    return float(np.std(values, ddof=1) / math.sqrt(len(values))) if len(values) >= FEW_STEPS else 0.0
