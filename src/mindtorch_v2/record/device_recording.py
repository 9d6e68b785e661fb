"""What devices did, as a listener heard it or a journal holds it: on the devices' own clocks until it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from . import device_clock
from .device_clock import Reading
from .layout import DEVICE_ACTIVITY, DEVICE_MEMORY


class ClockedDevice(NamedTuple):
    """A device, and when its clock was compared with the host's first and last."""

    name: str
    index: int
    first: Reading | None = None
    last: Reading | None = None


@dataclass
class DeviceRecording:
    """Activities (``name`` and ``device`` are places in the lists) and changes of the devices' memory."""

    activities: np.ndarray = field(default_factory=lambda: np.zeros(0, DEVICE_ACTIVITY))
    memory: np.ndarray = field(default_factory=lambda: np.zeros(0, DEVICE_MEMORY))
    names: list[str] = field(default_factory=list)
    devices: list[ClockedDevice] = field(default_factory=list)
    threads: dict[int, tuple[int, str]] = field(default_factory=dict)  # the system's number and name, by log
    dropped: int = 0  # activities that there was no room for
    unfinished: int = 0  # launches that had not run
    firsts: tuple[int, int] = (0, 0)  # numbers of the first activity and of the first change, of all that there were

    def until(self, activity: int, change: int) -> DeviceRecording:
        """What has numbers below these."""
        return replace(self, activities=self.activities[:max(0, activity - self.firsts[0])],
                       memory=self.memory[:max(0, change - self.firsts[1])])

    def on_host_clock(self) -> DeviceRecording:
        """The same with all times on the host's clock."""
        activities = self.activities.copy()
        for number, device in enumerate(self.devices):
            here = activities["device"] == number
            if here.any():
                times = (activities[column][here] for column in ("start_ns", "end_ns", "launch_ns"))
                started, ended = device_clock.host_times(*times, device.first, device.last)
                activities["start_ns"][here], activities["end_ns"][here] = started, ended
        return replace(self, activities=activities)

    def of_words_used(self) -> DeviceRecording:
        """The same with those names and threads alone that something in it has."""
        used, places = np.unique(self.activities["name"], return_inverse=True)
        activities = self.activities.copy()
        activities["name"] = places
        logs = {*np.unique(activities["thread"]).tolist(), *np.unique(self.memory["thread"]).tolist()}
        return replace(self, activities=activities, names=[self.names[number] for number in used.tolist()],
                       threads={log: facts for log, facts in self.threads.items() if log in logs})


def joined(parts: Sequence[DeviceRecording]) -> DeviceRecording:
    """Recordings of one listener one behind the other: names and devices are numbered anew."""
    names: dict[str, int] = {}
    devices: dict[tuple[str, int], ClockedDevice] = {}
    activities, memory, threads = [np.zeros(0, DEVICE_ACTIVITY)], [np.zeros(0, DEVICE_MEMORY)], {}
    for part in parts:
        for device in part.devices:
            known = devices.get(device[:2], device)
            devices[device[:2]] = known._replace(first=known.first or device.first, last=device.last or known.last)
        number = {key: place for place, key in enumerate(devices)}
        place_of_name = np.array([names.setdefault(name, len(names)) for name in part.names], np.int32)
        place_of_device = np.array([number[device[:2]] for device in part.devices], np.int32)
        activities.append(part.activities.copy())
        memory.append(part.memory.copy())
        activities[-1]["name"] = place_of_name[part.activities["name"]]
        for rows in (activities[-1], memory[-1]):
            rows["device"] = place_of_device[rows["device"]]
        threads |= part.threads
    last = parts[-1] if parts else DeviceRecording()
    return DeviceRecording(np.concatenate(activities), np.concatenate(memory), list(names), list(devices.values()),
                           threads, last.dropped, last.unfinished, parts[0].firsts if parts else (0, 0))
