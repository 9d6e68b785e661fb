"""What devices did, beside the visible events: rows of their own, and time and bytes credited to those who launched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..table import columns
from ..table.cached_property import cached_property

if TYPE_CHECKING:
    from .visible_events import VisibleEvents

ACTIVITY_TYPES = ("kernel", "gpu_memcpy", "gpu_memset")  # torch's words for the kinds of device activity
LAUNCH_NAMES = ("LaunchKernel", "MemcpyAsync", "MemsetAsync")  # of the calls that launch, behind the device's name


def launch_name(device: str, kind: int) -> str:
    """What the call that launches such an activity is called."""
    return device + LAUNCH_NAMES[kind]


class DeviceEvents:
    """Activities by number, in the order of their start; times and bytes of visible events by their rows."""

    def __init__(self, visible: VisibleEvents):
        self._visible = visible
        self.activities, self._memory = visible.source.device, visible.source.device_memory
        self.has_time = visible.source.window.device != ""
        self.n_activities = self.activities.n_rows if self.has_time else 0
        self.has_any = self.n_activities > 0 or self._memory.n_rows > 0

    @cached_property
    def _outside(self) -> np.ndarray:
        """Changes of devices' memory that no event is charged with."""
        return np.flatnonzero(self._above(self._memory["event"]) < 0)

    @property
    def n_rows(self) -> int:
        """How many rows of their own they have among the visible events."""
        return self.n_activities + (len(self._outside) if self._memory.n_rows else 0)

    def _above(self, ids: np.ndarray) -> np.ndarray:
        """The rows of the source that ids are credited to: their own, or the nearest above that is visible; or -1."""
        row = self._visible.source.rows_of(ids)
        inside = row >= 0
        row[inside] = np.where(self._visible.cells.kept[row[inside]], row[inside], self._visible._above[row[inside]])
        return row

    def rows(self, memory_name: int) -> dict[str, np.ndarray]:
        """The rows of their own: first the activities, then changes of memory."""
        of_activities = columns.blank(columns.EVENTS, self.n_activities)
        of_memory = columns.blank(columns.EVENTS, self.n_rows - self.n_activities)
        if self.n_activities:
            of_activities |= {name: self.activities[name] for name in ("start_ns", "end_ns", "name", "thread")}
            of_activities["id"] = self.activities["correlation"]
            of_activities["flags"][:] = columns.OF_DEVICE
        if len(of_memory["id"]):
            time_ns, thread = (self._memory[name][self._outside] for name in ("time_ns", "thread"))
            of_memory |= {"start_ns": time_ns, "end_ns": time_ns, "thread": thread, "forward_thread": thread}
            of_memory["name"][:] = memory_name
            of_memory["flags"][:] = columns.OF_MEMORY
        further = {name: np.concatenate([cells, of_memory[name]]) for name, cells in of_activities.items()}
        for column in ("sequence", "parent", "inputs"):
            further[column][:] = -1
        return further

    @cached_property
    def _first_place(self) -> int:
        """The number that the first activity has behind the rows of the source."""
        return len(self._visible.source) + len(self._visible._outside)

    @cached_property
    def number(self) -> np.ndarray:
        """Which activity each visible row is, or -1."""
        number = self._visible._order - self._first_place
        return np.where((number >= 0) & (number < self.n_activities), number, -1)

    @cached_property
    def _launched_by(self) -> np.ndarray:
        """The visible row that each activity is credited to, or -1."""
        return self._visible.place[self._above(self.activities["event"])]

    @cached_property
    def _by_row(self) -> tuple[np.ndarray, np.ndarray]:
        order = np.argsort(self._launched_by, kind="stable")
        return order, np.searchsorted(self._launched_by[order], np.arange(len(self._visible) + 1))

    def launched_by(self, row: int) -> list[int]:
        """The activities that a visible row launched itself."""
        if not self.n_activities:
            return []
        order, first = self._by_row
        return order[first[row]:first[row + 1]].tolist()

    @cached_property
    def lasted_ns(self) -> np.ndarray:
        return self.activities["end_ns"] - self.activities["start_ns"]

    @cached_property
    def self_ns(self) -> np.ndarray:
        """Device time of each visible row without its children; that of an activity is its own."""
        own = np.zeros(len(self._visible), np.int64)
        if self.n_activities:
            inside = self._launched_by >= 0
            np.add.at(own, self._launched_by[inside], self.lasted_ns[inside])
            is_activity = self.number >= 0
            own[is_activity] = self.lasted_ns[self.number[is_activity]]
        return own

    @cached_property
    def total_ns(self) -> np.ndarray:
        """The same with its children."""
        return self._with_children(self.self_ns) if self.n_activities else self.self_ns

    @cached_property
    def activity_ns(self) -> int:
        """Time of all activities."""
        return int(self.lasted_ns.sum()) if self.n_activities else 0

    @cached_property
    def self_bytes(self) -> np.ndarray:
        """Bytes of devices' memory that came less those that went while the row was innermost."""
        own = np.zeros(len(self._visible), np.int64)
        if self._memory.n_rows:
            above = self._above(self._memory["event"])
            above[self._outside] = self._first_place + self.n_activities + np.arange(len(self._outside))
            np.add.at(own, self._visible.place[above], self._memory["change"])
        return own

    @cached_property
    def total_bytes(self) -> np.ndarray:
        return self._with_children(self.self_bytes) if self._memory.n_rows else self.self_bytes

    def _with_children(self, own: np.ndarray) -> np.ndarray:
        """Numbers of rows, each with those of all rows below it."""
        total, parent = own.copy(), self._visible.table["parent"]
        row = np.flatnonzero(own)
        value, row = own[row], parent[row]
        while (inside := row >= 0).any():
            value, row = value[inside], row[inside]
            np.add.at(total, row, value)
            row = parent[row]
        return total
