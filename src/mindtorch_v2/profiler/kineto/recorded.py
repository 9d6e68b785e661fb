"""What the tree of events is read from: the table, and beside it the identities of tensors, modules and optimizers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ...record.places import ADDRESS, ADDRESS_BITS, place_number
from ..table.cached_property import cached_property
from ..table.columns import TENSORS, Appended, Columns, row_type
from ..table.event_table import EventTable
from .identity import NO_ALLOCATION, NO_TENSOR, SIGHT, identify

GIVEN = row_type(TENSORS)  # here ``event`` is the row of the event
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
    def of(cls, table: EventTable, overloads: bool = False) -> Recorded:
        """A table, and its identities by row instead of by id; events that the table leaves out are left out."""
        tensors, module_calls, optimizer_calls, modules, optimizers = table.identities()
        first, last = table.events.at("id", np.array([0, len(table) - 1])) if len(table) else (0, -1)

        def rows_of(named) -> np.ndarray:
            named = np.asarray(named, np.int64)
            if last - first == len(table) - 1:  # without gaps; the whole column is not asked for
                return np.where((named >= first) & (named <= last), named - first, -1)
            at = np.minimum(np.searchsorted(table["id"], named), len(table) - 1)
            return np.where(table["id"][at] == named, at, -1)

        events = rows_of(tensors["event"])
        is_shown = events >= 0
        given, events = (tensors, events) if is_shown.all() else (tensors[is_shown], events[is_shown])
        given["event"] = events
        facts = [{row: known[number] for row, number in zip(rows_of(calls["event"]).tolist(), calls[place].tolist())
                  if row >= 0} for calls, place, known in ((module_calls, "module", modules),
                                                           (optimizer_calls, "optimizer", optimizers))]
        return cls(table, given, *facts, overloads)

    @cached_property
    def given(self) -> np.ndarray:
        """The tensors given to events, event by event."""
        event, slot = self.tensors["event"], self.tensors["slot"]
        step = np.diff(event)
        if ((step > 0) | ((step == 0) & (np.diff(slot) >= 0))).all():  # as one thread records them
            return self.tensors
        return self.tensors[np.lexsort((slot, event))]

    @cached_property
    def changes(self) -> Columns:
        """Changes of memory, of the processor's and behind them of devices'; addresses say which device they are on."""
        memory, of_devices = self.table.memory, self.table.device_memory
        if not of_devices.n_rows:
            return memory
        place = place_number(of_devices["device_type"].astype(np.int64), of_devices["device_index"].astype(np.int64))
        known = {name: of_devices[name] for name in ("time_ns", "change", "total", "thread")}
        return Appended(memory, known | {"address": place << ADDRESS_BITS | of_devices["address"] & ADDRESS,
                                         "event": self.table.rows_of(of_devices["event"]),
                                         "seen": np.ones(of_devices.n_rows, bool)})

    @cached_property
    def facts(self) -> dict:
        """What is known of the module or optimizer that a row calls."""
        return self.modules | self.optimizers

    @cached_property
    def numbers(self) -> Numbers:
        """The numbers of tensors and allocations; torch gives them where shapes and memory were recorded."""
        window = self.table.window
        if not (window.record_shapes and window.profile_memory):
            return Numbers(np.zeros(len(self.given), np.int32), np.zeros(self.changes.n_rows, np.int32), {},
                           np.full(1, NO_TENSOR))
        # A module is known as it was when it was first called, so its tensors were seen then and not later.
        first = {id(facts): row for row, facts in reversed(sorted(self.facts.items()))}
        sights = [(row, sight) for row in first.values() for sight in self._sights_of_call(row)]
        seen, rows_of_calls = [sight for _, sight in sights], [row for row, _ in sights]
        allocation, tensor = identify(self._sights(seen, rows_of_calls))
        ops, calls = len(self.given), len(seen)
        of_call = iter(allocation[ops:ops + calls].tolist())
        of_facts = {key: [next(of_call) for _ in tensors_of(self.facts[row])] for key, row in first.items()}
        return Numbers(allocation[:ops].copy(), allocation[ops + calls:].copy(), of_facts, tensor)

    def _sights(self, of_calls: list[tuple], rows_of_calls: list[int]) -> Callable[[str], np.ndarray]:
        """What ops were given, then what calls show, then what the allocator reports: a function of a column's name."""
        given, memory, nothing = self.given, self.changes, np.int64(0)
        calls = dict(zip(SIGHT, np.array(of_calls, np.int64).reshape(-1, len(SIGHT)).T))
        of_ops = {"time_ns": lambda: self.table["start_ns"][given["event"]], "tensor": lambda: given["tensor"],
                  "address": lambda: given["storage"], "change": lambda: nothing}

        def column(name: str) -> np.ndarray:
            of_memory = nothing if name == "tensor" else memory[name]
            values = np.concatenate([np.broadcast_to(of_ops[name](), len(given)), calls[name],
                                     np.broadcast_to(of_memory, memory.n_rows)])
            return self._apart(values, rows_of_calls) if name in ("tensor", "address") else values

        return column

    def _apart(self, values: np.ndarray, rows_of_calls: list[int]) -> np.ndarray:
        """Addresses and identities of sights; those of different processes are never the same."""
        table = self.table
        process = {pid: number for number, pid in enumerate(dict.fromkeys(map(table.pid_of, table.threads)))}
        if len(process) < 2:
            return values
        thread = np.concatenate([table["thread"][self.given["event"]],
                                 table["thread"][np.array(rows_of_calls, np.int64)], self.changes["thread"]])
        numbers = {t.index: process[table.pid_of(t)] for t in table.threads}
        present, at = np.unique(thread, return_inverse=True)
        of_sight = np.array([numbers[index] for index in present.tolist()], np.int64)[at]
        distinct = np.unique(values, return_inverse=True)[1].ravel()
        return np.where(values == 0, 0, 1 + distinct * len(process) + of_sight)

    def _sights_of_call(self, row: int) -> list[tuple]:
        """A module's tensors are seen when it is called, an optimizer's when its step is done."""
        time_ns = int(self.table["end_ns" if row in self.optimizers else "start_ns"][row])
        return [(time_ns, t.tensor, t.storage, 0) for t in tensors_of(self.facts[row])]


@dataclass(frozen=True)
class Numbers:
    """The allocation of each given tensor, of each memory change, and of each tensor of a module or optimizer (by the
    ``id`` of its facts, in the order of tensors_of); and the tensor of each allocation."""

    of_given: np.ndarray
    of_memory: np.ndarray
    of_facts: dict[int, list[int]]
    tensor: np.ndarray

    def pair(self, allocation: int) -> tuple[int | None, int | None]:
        """(tensor, allocation) as torch shows them; None where there is no number."""
        if allocation == NO_ALLOCATION:
            return UNKNOWN
        tensor = int(self.tensor[allocation])
        return None if tensor == NO_TENSOR else tensor, allocation


def distinct(facts_of_rows: dict) -> list:
    """What is known of modules or optimizers, each once; most are called again and again."""
    return list({id(facts): facts for facts in facts_of_rows.values()}.values())


def tensors_of(facts) -> list:
    """The tensors of a module (its parameters and gradients) or of an optimizer (their state too)."""
    return [t for parameter in facts.parameters for part in parameter for t in _of_part(part)]


def _of_part(part) -> list:
    if isinstance(part, dict):
        return list(part.values())
    return [] if part is None or isinstance(part, str) else [part]
