"""What the tree of events is read from: the table, and beside it the identities of tensors, modules and optimizers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..table.event_table import EventTable
from .identity import SIGHT, identify

# Which tensor an event was given: its row, the how-manieth tensor among its inputs, the tensor, its storage's address.
TENSORS = np.dtype([("event", "i4"), ("slot", "i4"), ("tensor", "i8"), ("storage", "i8")])
UNKNOWN = (None, None)


@dataclass(frozen=True)
class Recorded:
    """A profile. ``modules`` are known by the number of a row's name, ``optimizers`` by the row."""

    table: EventTable
    tensors: np.ndarray = field(default_factory=lambda: np.zeros(0, TENSORS))
    modules: dict = field(default_factory=dict)
    optimizers: dict = field(default_factory=dict)
    overloads: bool = False

    @cached_property
    def given(self) -> np.ndarray:
        """The tensors given to events, event by event."""
        return np.sort(self.tensors, order=("event", "slot"), kind="stable")

    @cached_property
    def facts(self) -> dict:
        """What is known of the module or optimizer that a row is a call of."""
        names = self.table["name"]
        rows = np.flatnonzero(np.isin(names, list(self.modules))).tolist()
        return {row: self.modules[int(names[row])] for row in rows} | self.optimizers

    @cached_property
    def numbers(self) -> Numbers:
        """(tensor id, allocation id) of everything; torch gives them where shapes and memory were recorded."""
        window = self.table.window
        if not (window.record_shapes and window.profile_memory):
            return Numbers([UNKNOWN] * len(self.given), [UNKNOWN] * len(self.table.memory["change"]), {})
        of_calls = np.array([sight for row in self.facts for sight in self._sights_of_call(row)], SIGHT)
        found = identify(np.concatenate([self._sights_of_ops(), of_calls, self._sights_of_memory()]))
        ops, calls = len(self.given), len(of_calls)
        of_call = iter(found[ops:ops + calls])
        return Numbers(found[:ops], found[ops + calls:],
                       {row: [next(of_call) for _ in tensors_of(facts)] for row, facts in self.facts.items()})

    def _sights_of_ops(self) -> np.ndarray:
        seen = np.zeros(len(self.given), SIGHT)
        seen["time_ns"] = self.table["start_ns"][self.given["event"]]
        seen["tensor"], seen["address"] = self.given["tensor"], self.given["storage"]
        return seen

    def _sights_of_memory(self) -> np.ndarray:
        seen = np.zeros(len(self.table.memory["change"]), SIGHT)
        for name in ("time_ns", "address", "change"):
            seen[name] = self.table.memory[name]
        return seen

    def _sights_of_call(self, row: int) -> list[tuple]:
        """A module's tensors are seen when it is called, an optimizer's when its step is done."""
        time_ns = int(self.table["end_ns" if row in self.optimizers else "start_ns"][row])
        return [(time_ns, t.tensor, t.storage, 0) for t in tensors_of(self.facts[row])]


@dataclass(frozen=True)
class Numbers:
    """Pairs of numbers: per given tensor, per memory change, and per row that calls a module or optimizer."""

    of_given: list
    of_memory: list
    of_call: dict[int, list]


def tensors_of(facts) -> list:
    """The tensors of a module (its parameters and gradients) or of an optimizer (their state too)."""
    return [t for parameter in facts.parameters for part in parameter for t in _of_part(part)]


def _of_part(part) -> list:
    if isinstance(part, dict):
        return list(part.values())
    return [] if part is None or isinstance(part, str) else [part]
