"""All events of a profile as objects, each made once and only when asked for."""

from __future__ import annotations

from functools import cached_property

from .function_event import FunctionEvent
from .shown import Shown


def _column(name: str) -> cached_property:
    """A column as a plain list: single cells are read from it much faster than from an array."""
    return cached_property(lambda self: self.shown.table[name].tolist())


def _derived(name: str) -> cached_property:
    return cached_property(lambda self: getattr(self.shown, name).tolist())


class Events:
    """What FunctionEvents read their fields from."""

    id, name, parent = _column("id"), _column("name"), _column("parent")
    start_ns, end_ns = _column("start_ns"), _column("end_ns")
    inputs, thread, forward_thread = _column("inputs"), _column("thread"), _column("forward_thread")
    scope, flags, flops, sequence = _column("scope"), _column("flags"), _column("flops"), _column("sequence")
    total_bytes, flow_ids, self_ns = _derived("total_bytes"), _derived("flow_ids"), _derived("self_ns")

    def __init__(self, shown: Shown, overloads: bool = False, places: dict[int, int] | None = None):
        self.shown = shown
        self.names = shown.table.names
        self.words = shown.keys[0]
        self._overloads = overloads
        self._places = places  # of events in the trace, by id, where they are to be shown
        self._made: dict[int, FunctionEvent] = {}

    keys = cached_property(lambda self: self.shown.keys[1].tolist())
    _children = cached_property(lambda self: tuple(part.tolist() for part in self.shown.children))
    _os_ids = cached_property(lambda self: {t.index: t.os_id for t in self.shown.table.threads})

    def __len__(self) -> int:
        return len(self.shown)

    def event(self, row: int) -> FunctionEvent:
        """The row's event; always the same object."""
        found = self._made.get(row)
        if found is None:
            found = FunctionEvent.__new__(FunctionEvent)
            fields = vars(found)
            fields["_source"], fields["_row"] = self, row
            found = self._made.setdefault(row, found)
        return found

    def children(self, row: int) -> list[FunctionEvent]:
        rows, at = self._children
        return [self.event(child) for child in rows[at[row]:at[row + 1]]]

    def described(self, row: int) -> tuple:
        number = self.inputs[row]
        return self.shown.table.inputs[number] if number >= 0 else ()

    def overload(self, row: int) -> str:
        return self.names[self.name[row]][1] if self._overloads else ""

    def metadata(self, row: int) -> str:
        return "" if self._places is None else f'"Ev Idx": {self._places[self.id[row]]}'

    def os_id(self, row: int) -> int:
        return self._os_ids.get(self.thread[row], 0)

    def us(self, time_ns: int) -> float:
        """Microseconds since the profile began."""
        return (time_ns - self.shown.table.window.start_ns) / 1000

    def total_us(self, row: int) -> float:
        return (self.end_ns[row] - self.start_ns[row]) / 1000

    def self_us(self, row: int) -> float:
        return self.self_ns[row] / 1000
