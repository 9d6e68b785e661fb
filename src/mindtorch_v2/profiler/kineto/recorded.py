"""What the tree of events is read from: the table, and beside it the identities of tensors, modules and optimizers."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..table.cached_property import cached_property
from ..table.event_table import EventTable
from .identity import SIGHT, identify

# Which tensor an event was given: its row, the how-manieth tensor among its inputs, the tensor, its storage's address.
GIVEN = np.dtype([("event", "i8"), ("slot", "i4"), ("tensor", "i8"), ("storage", "i8")])
UNKNOWN = (None, None)


@dataclass(frozen=True)
class Recorded:
    """A profile; what is known of modules and optimizers stands beside the rows that call them."""

    table: EventTable
    tensors: np.ndarray = field(default_factory=lambda: np.zeros(0, GIVEN))
    modules: dict = field(default_factory=dict)
    optimizers: dict = field(default_factory=dict)
    overloads: bool = False

    @classmethod
    def by_id(cls, table: EventTable, tensors: np.ndarray, modules: dict, optimizers: dict,
              overloads: bool) -> Recorded:
        """The same, where events are named by their ids; those that the table leaves out are left out."""
        ids = table["id"]

        def rows_of(named) -> np.ndarray:
            named = np.asarray(named, np.int64)
            at = np.minimum(np.searchsorted(ids, named), max(len(ids) - 1, 0))
            return np.where(ids[at] == named, at, -1) if len(ids) else np.full(len(named), -1)

        given = tensors.copy()
        given["event"] = rows_of(tensors["event"])
        found = [{row: facts for row, facts in zip(rows_of(list(named)).tolist(), named.values()) if row >= 0}
                 for named in (modules, optimizers)]
        return cls(table, given[given["event"] >= 0], *found, overloads)

    @cached_property
    def given(self) -> np.ndarray:
        """The tensors given to events, event by event."""
        return self.tensors[np.lexsort((self.tensors["slot"], self.tensors["event"]))]

    @cached_property
    def facts(self) -> dict:
        """What is known of the module or optimizer that a row calls."""
        return self.modules | self.optimizers

    @cached_property
    def numbers(self) -> Numbers:
        """(tensor id, allocation id) of everything; torch gives them where shapes and memory were recorded."""
        window = self.table.window
        if not (window.record_shapes and window.profile_memory):
            return Numbers([UNKNOWN] * len(self.given), [UNKNOWN] * len(self.table.memory["change"]), {})
        # A module is known as it was when it was first called, so its tensors were seen then and not later.
        first = {id(facts): row for row, facts in reversed(sorted(self.facts.items()))}
        seen = [sight for row in first.values() for sight in self._sights_of_call(row)]
        found = identify(np.concatenate([self._sights_of_ops(), np.array(seen, SIGHT), self._sights_of_memory()]))
        ops, calls = len(self.given), len(seen)
        of_call = iter(found[ops:ops + calls])
        of_facts = {key: [next(of_call) for _ in tensors_of(self.facts[row])] for key, row in first.items()}
        return Numbers(found[:ops], found[ops + calls:],
                       {row: of_facts[id(facts)] for row, facts in self.facts.items()})

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
