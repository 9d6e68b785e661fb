"""A profile's ear for devices: what they ran since it listens, in bounded buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import device_clock, rows
from .bounded_rows import BoundedRows
from .device_clock import Reading
from .device_recording import ClockedDevice, DeviceRecording
from .interrupts import interruptible
from .layout import DEVICE_ACTIVITY, DEVICE_MEMORY
from .locks import new_lock

if TYPE_CHECKING:
    from .device_activity import DeviceActivity, Launch

MOST_ACTIVITIES = 1 << 20  # where a profile has no limit of its own
CHANGES_PER_ACTIVITY = 2
SPARE_NAMES = 1024  # names that may be kept beyond two for each activity
RETRY_NS = 100_000_000  # so long a disk that took nothing is left alone
READING_PERIOD_NS = 500_000_000  # so often clocks are compared for a journal, whose process may be killed


class Listener:
    """Hears the devices of one name (none: of no device), and changes of memory of all, if wanted.

    With a journal everything is numbered as it comes: ``unwritten`` is what is not on disk, ``wrote`` says that it is.
    Where a profile spills, what is on disk makes room for what comes.
    """

    def __init__(self, name: str | None, wants_memory: bool = False, most: int = 0, keeps_newest: bool = True):
        self.name, self.wants_memory = name, wants_memory
        self.since = self.lost = 0
        self._most, self._keeps_newest = most or MOST_ACTIVITIES, keeps_newest
        self.is_written = self.spills = False  # to a journal, and held in memory until then
        self.failures: list[str] = []
        self.is_synchronized = False
        self._lock = new_lock()
        self.clear()

    def clear(self) -> None:
        """Forget everything that was heard."""
        self._activities = BoundedRows(DEVICE_ACTIVITY, self._most, self._keeps_newest)
        self._memory = BoundedRows(DEVICE_MEMORY, CHANGES_PER_ACTIVITY * self._most, self._keeps_newest)
        self._written = (0, 0)
        self._rests_until_ns = 0
        self._names: dict[str, int] = {}
        self._devices: dict[DeviceActivity, int] = {}
        self._first: dict[DeviceActivity, Reading | None] = {}
        self._last: dict[DeviceActivity, Reading | None] = {}
        self._compared_ns: dict[DeviceActivity, int] = {}
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
        """Compare clocks with a device when it is first heard of, and for a journal now and then."""
        if device not in self._first:
            self._compared_ns[device] = rows.now_ns()
            self._first[device] = self._reading(device)
        elif self.is_written and rows.now_ns() - self._compared_ns[device] > READING_PERIOD_NS:
            self._compared_ns[device] = rows.now_ns()
            self._last[device] = self._reading(device)

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
        with self._lock:
            if launch.name not in self._names and len(self._names) > 2 * self._most + SPARE_NAMES:
                self._forget_unused_names()
            name = self._names.setdefault(launch.name, len(self._names))
            if self.spills:
                self._make_room()
            self._activities.append((launch.number, launch.time_ns, start_ns, end_ns, launch.row, launch.queue, nbytes,
                                     name, self._number(device), launch.thread, launch.kind))
            self._know_thread(launch.thread)

    def add_memory(self, device: DeviceActivity, time_ns: int, address: int, change: int, row: int,
                   thread: int) -> None:
        """Memory of a device that came or went."""
        if self.wants_memory:
            with self._lock:
                if self.spills:
                    self._make_room()
                self._memory.append((time_ns, address, change, device.allocated_bytes, row, self._number(device),
                                     thread))
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

    @property
    def is_nearly_full(self) -> bool:
        """Whether it is time to write what is not on disk, before there is no room for more."""
        return self.spills and rows.now_ns() >= self._rests_until_ns and any(
            2 * (held.stop - written) >= held.most for held, written in self._held())

    def rest(self) -> None:
        """It could not be written: that is not tried again at once."""
        self._rests_until_ns = rows.now_ns() + RETRY_NS

    def _held(self) -> tuple[tuple[BoundedRows, int], ...]:
        """Both buffers, and how far each is on disk."""
        return (self._activities, self._written[0]), (self._memory, self._written[1])

    def _make_room(self) -> None:
        """Where a buffer is full: hold what is on disk no more."""
        for held, written in self._held():
            if len(held) == held.most:
                held.let_go(written)

    def unwritten(self) -> DeviceRecording | None:
        """What is not on disk yet, if there is anything."""
        with self._lock:
            if self._written == (self._activities.stop, self._memory.stop):
                return None
            return self._from(*self._written).of_words_used()

    def wrote(self, recording: DeviceRecording) -> None:
        """It is on disk. What was dropped from memory meanwhile is not lost, if the profile is read from disk."""
        counts = len(recording.activities), len(recording.memory)
        with self._lock:
            for (held, _), first, n in zip(self._held(), recording.firsts, counts):
                held.dropped -= max(0, min(first + n, held.first) - first) if self.spills else 0
            self._written = (recording.firsts[0] + counts[0], recording.firsts[1] + counts[1])

    def read(self) -> DeviceRecording:
        """Everything that is held, and the devices' clocks as they are now."""
        for device in list(self._devices):
            self._last[device] = self._reading(device)
        with self._lock:
            return self._from(0, 0)

    def _from(self, activity: int, change: int) -> DeviceRecording:
        """What is held from two numbers on."""
        firsts = max(activity, self._activities.first), max(change, self._memory.first)
        return DeviceRecording(
            self._activities.copy(activity), self._memory.copy(change), list(self._names),
            [ClockedDevice(device.name, device.index, self._first.get(device), self._last.get(device))
             for device in self._devices], dict(self._threads), self.dropped,
            sum(device.in_flight(self.since + 1) for device in self._first), firsts)
