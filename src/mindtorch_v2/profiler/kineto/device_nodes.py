"""Nodes of devices in the event tree: as torch has it, a call that launches work under the op that made it, and under
that call the work."""

from __future__ import annotations

import numpy as np

from ..table.event_table import EventTable
from ..views.device_events import launch_name


class DeviceNodes:
    """Launches, numbered from 0, and behind them what they launched, in the same order."""

    def __init__(self, table: EventTable):
        self._table, self._device = table, table.device
        self.n_launches = table.device.n_rows if table.window.device else 0

    def __len__(self) -> int:
        return 2 * self.n_launches

    def _twice(self, of_launch: str, of_work: str) -> np.ndarray:
        if not self.n_launches:
            return np.zeros(0, np.int64)
        return np.concatenate([self._device[of_launch], self._device[of_work]])

    def start_ns(self) -> np.ndarray:
        return self._twice("launch_ns", "start_ns")

    def end_ns(self) -> np.ndarray:
        """A launch takes no time: who launches is a row of its own."""
        return self._twice("launch_ns", "end_ns")

    def thread(self) -> np.ndarray:
        """The thread that launched."""
        return self._twice("thread", "thread").astype(np.int32)

    def parent(self, first: int) -> np.ndarray:
        """The row above each launch, or -1; and, counted from the first node on, the launch above all work."""
        if not self.n_launches:
            return np.zeros(0, np.int64)
        row = self._table.rows_of(self._device["event"])
        unknown = np.flatnonzero(row < 0)
        row[unknown] = self._innermost(unknown)
        return np.concatenate([row, first + np.arange(self.n_launches)])

    def _innermost(self, launches: np.ndarray) -> np.ndarray:
        """The rows that went on when work was launched that is credited to none."""
        table, innermost = self._table, np.full(len(launches), -1, np.int64)
        thread, time_ns = (self._device[name][launches] for name in ("thread", "launch_ns"))
        for first, stop in table.events.runs() if len(launches) else ():
            here = np.flatnonzero(thread == table["thread"][first])
            row = first + np.searchsorted(table["start_ns"][first:stop], time_ns[here], side="right") - 1
            row[row < first] = -1
            while (ended := (row >= 0) & (table["end_ns"][row] < time_ns[here])).any():
                row[ended] = table["parent"][row[ended]]
            innermost[here] = row
        return innermost

    def name(self, number: int) -> str:
        if number < self.n_launches:
            return launch_name(self._table.window.device, int(self._device["kind"][number]))
        return self._table.names[self._device["name"][number - self.n_launches]][0]

    def correlation_id(self, number: int) -> int:
        """The same for a launch and its work."""
        return int(self._device["correlation"][number % self.n_launches])
