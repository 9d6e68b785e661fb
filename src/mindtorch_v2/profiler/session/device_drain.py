"""What devices did, from the recorder into the event table: credited to events, on threads that the table knows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ...record.device_recording import DeviceRecording
from ...record.layout import NUMBER_BITS, PYTHON_CALL
from ...record.recording import ThreadRows
from ..table import columns
from ..table.event_table import EventTable, Thread
from ..views.device_type import type_of_name

NUMBER = (1 << NUMBER_BITS) - 1


def with_device(table: EventTable, of_device: DeviceRecording, threads: list[ThreadRows], first_id: int) -> EventTable:
    """The table of a recording whose threads' rows are numbered from an id on, and beside it what devices did."""
    activities, memory = of_device.activities, of_device.memory
    if not len(activities) and not len(memory):
        return table
    known = Credits(threads, first_id, table.threads, of_device.threads)
    order = np.argsort(activities["start_ns"], kind="stable")
    activities = activities[order]
    device = {name: activities[name] for name in ("correlation", "launch_ns", "start_ns", "end_ns", "queue", "kind",
                                                  "bytes")}
    device |= known.columns(activities, of_device) | {"name": activities["name"] + len(table.names)}
    device_memory = {name: memory[name] for name in ("time_ns", "address", "change", "total")}
    device_memory |= known.columns(memory, of_device)
    return replace(table, device=_typed(columns.DEVICE_ACTIVITY, device), threads=known.threads,
                   device_memory=_typed(columns.DEVICE_MEMORY, device_memory),
                   names=[*table.names, *((name, "") for name in of_device.names)])


def _typed(declared: tuple, arrays: dict) -> dict[str, np.ndarray]:
    return {c.name: np.ascontiguousarray(arrays[c.name], c.dtype) for c in declared}


class Credits:
    """Which event a row's handle stands for, and which thread."""

    def __init__(self, threads: list[ThreadRows], first_id: int, in_table: Iterable[Thread],
                 launching: dict[int, tuple[int, str]]):
        self._parts = []
        for part in threads:
            self._parts.append((part, first_id))
            first_id += len(part.rows)
        self.threads = tuple(in_table)
        self._numbers = {part.log: part.index for part in threads}
        unused = 1 + max([*self._numbers.values(), *self._numbers, *launching], default=0)
        for log, (os_id, name) in launching.items():
            if log not in self._numbers:
                self._numbers[log], unused = unused, unused + 1
                self.threads += (Thread(self._numbers[log], os_id, name),)

    def columns(self, rows: np.ndarray, of_device: DeviceRecording) -> dict[str, np.ndarray]:
        """The columns that activities and changes of memory have in common."""
        types = np.array([type_of_name(device.name).value for device in of_device.devices], np.int32)
        indices = np.array([device.index for device in of_device.devices], np.int32)
        thread = np.array([self._numbers[log] for log in rows["thread"].tolist()], np.int32)
        return {"event": self._events(rows["row"]), "thread": thread, "device_type": types[rows["device"]],
                "device_index": indices[rows["device"]]}

    def _events(self, handles: np.ndarray) -> np.ndarray:
        """The ids of rows: of a Python call, that of the op or range around it; 0 for none that is known."""
        events = np.zeros(len(handles), np.int64)
        log, number = handles >> NUMBER_BITS, handles & NUMBER
        for part, first_id in self._parts:
            here = (handles >= 0) & (log == part.log) & (number >= part.first) & (number < part.first + len(part.rows))
            if here.any():
                place, back, is_call = number[here] - part.first, part.rows["back"], part.rows["scope"] >= PYTHON_CALL
                while (climbing := (place >= 0) & is_call[place]).any():
                    step = back[place[climbing]].astype(np.int64)
                    place[climbing] = np.where(step > 0, np.maximum(place[climbing] - step, -1), -1)
                events[here] = np.where(place >= 0, place + first_id, 0)
        return events
