"""A profile's ear for devices: what they ran since it listens, in bounded buffers, on the host's clock when read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from . import device_clock, rows
from .bounded_rows import BoundedRows
from .device_clock import Reading
from .interrupts import interruptible
from .layout import DEVICE_ACTIVITY, DEVICE_MEMORY

if TYPE_CHECKING:
    from .device_activity import DeviceActivity, Launch

MOST_ACTIVITIES = 1 << 20  # where a profile has no limit of its own
CHANGES_PER_ACTIVITY = 2
SPARE_NAMES = 1024  # names that may be kept beyond two for each activity


@dataclass
class DeviceRecording:
    """What devices did: activities (``name`` and ``device`` are places in the lists) and changes of their memory."""

    activities: np.ndarray
    memory: np.ndarray
    names: list[str]
    devices: list[tuple[str, int]]
    threads: dict[int, tuple[int, str]] = field(default_factory=dict)  # the system's number and name, by log
    dropped: int = 0  # activities that there was no room for
    unfinished: int = 0  # launches that had not run


class Listener:
    """Hears the devices of one name (none: of no device), and changes of memory of all, if wanted."""

    def __init__(self, name: str | None, wants_memory: bool = False, most: int = 0, keeps_newest: bool = True):
        self.name, self.wants_memory = name, wants_memory
        self.since = self.lost = 0
        self._most, self._keeps_newest = most or MOST_ACTIVITIES, keeps_newest
        self.failures: list[str] = []
        self.is_synchronized = False
        self.clear()

    def clear(self) -> None:
        """Forget everything that was heard."""
        self._activities = BoundedRows(DEVICE_ACTIVITY, self._most, self._keeps_newest)
        self._memory = BoundedRows(DEVICE_MEMORY, CHANGES_PER_ACTIVITY * self._most, self._keeps_newest)
        self._names: dict[str, int] = {}
        self._devices: dict[DeviceActivity, int] = {}
        self._first: dict[DeviceActivity, Reading | None] = {}
        self._threads: dict[int, tuple[int, str]] = {}

    @property
    def dropped(self) -> int:
        """Activities that there was no room for."""
        return self._activities.dropped + self.lost

    def hears(self, device: DeviceActivity) -> bool:
        return device.name == self.name

    def has_heard(self, device: DeviceActivity, launch: int) -> bool:
        """Whether a launch was one of those it listens to."""
        return device.name == self.name and launch > self.since

    def meet(self, device: DeviceActivity) -> None:
        """Compare clocks with a device when it is first heard of."""
        if device not in self._first:
            self._first[device] = self._reading(device)

    def _reading(self, device: DeviceActivity) -> Reading | None:
        try:
            return device_clock.read(device.clock_ns)
        except Exception as error:
            self._fail(f"the clock of {device.name}:{device.index} could not be read ({type(error).__name__}: {error})")
            return None

    def _fail(self, what: str) -> None:
        """Remember what went wrong, to be told once."""
        if what not in self.failures:
            self.failures.append(what)

    def synchronize(self, device: DeviceActivity) -> None:
        """Let a device finish its work."""
        try:
            interruptible(device.synchronize)
        except Exception as error:
            self._fail(f"{device.name}:{device.index} could not be waited for ({type(error).__name__}: {error})")

    def add(self, device: DeviceActivity, launch: Launch, start_ns: int, end_ns: int, nbytes: int) -> None:
        """An activity that has run, on the device's clock."""
        if launch.name not in self._names and len(self._names) > 2 * self._most + SPARE_NAMES:
            self._forget_unused_names()
        name = self._names.setdefault(launch.name, len(self._names))
        self._activities.append((launch.number, launch.time_ns, start_ns, end_ns, launch.row, launch.queue, nbytes,
                                 name, self._number(device), launch.thread, launch.kind))
        self._know_thread(launch.thread)

    def add_memory(self, device: DeviceActivity, time_ns: int, address: int, change: int, row: int,
                   thread: int) -> None:
        """Memory of a device that came or went."""
        if self.wants_memory:
            self._memory.append((time_ns, address, change, device.allocated_bytes, row, self._number(device), thread))
            self._know_thread(thread)

    def _number(self, device: DeviceActivity) -> int:
        return self._devices.setdefault(device, len(self._devices))

    def _know_thread(self, thread: int) -> None:
        if thread not in self._threads:
            self._threads[thread] = rows.thread_facts(thread)

    def _forget_unused_names(self) -> None:
        used, names = self._activities.numbers("name"), list(self._names)
        place = np.zeros(len(names), np.int32)
        place[used] = np.arange(len(used))
        self._activities.renumber("name", place)
        self._names = {names[number]: at for at, number in enumerate(used.tolist())}

    def read(self) -> DeviceRecording:
        """Everything so far, on the host's clock."""
        activities, devices = self._activities.copy(), list(self._devices)
        for number, device in enumerate(devices):
            here = activities["device"] == number
            if here.any():
                started, ended = device_clock.host_times(
                    *(activities[column][here] for column in ("start_ns", "end_ns", "launch_ns")),
                    self._first.get(device), self._reading(device))
                activities["start_ns"][here], activities["end_ns"][here] = started, ended
        return DeviceRecording(activities, self._memory.copy(), list(self._names),
                               [(device.name, device.index) for device in devices], dict(self._threads),
                               self.dropped,
                               sum(device.in_flight(self.since + 1) for device in self._first))
