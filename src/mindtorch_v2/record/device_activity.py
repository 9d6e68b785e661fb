"""What runs on a device's own queues, recorded: launched by a row of a thread, run later, timed by the device's clock.

The device's author makes a ``DeviceActivity`` for each device; a profile listens with a ``Listener``. Where no device
is registered, or nobody listens, nothing of this is called.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from typing import NamedTuple

from . import logs, recorder, rows
from .device_clock import MOST_NS
from .device_listener import Listener
from .layout import KERNEL, MEMCPY, MEMSET, NUMBER_BITS
from .locks import new_lock
from .plain_text import exact_text

KINDS = {"kernel": KERNEL, "memcpy": MEMCPY, "memset": MEMSET}
MOST_IN_FLIGHT = 1 << 16  # launches that have not run; of a device that never says so, older ones are forgotten


class Launch(NamedTuple):
    """Work that was put on a queue."""

    number: int
    time_ns: int
    row: int
    thread: int
    queue: int
    name: str
    kind: int


class DeviceActivity:
    """One device as the recorder sees it.

        npu = DeviceActivity("npu", 0, synchronize=wait_for_all_queues, clock_ns=read_the_devices_counter)

        launch = npu.launched(queue=7, name="add_kernel")  # on the launching thread, before it is put on the queue
        ...
        if launch:  # 0: nobody listens, and there is nothing else to do
            npu.ran(launch, start_device_ns, end_device_ns)  # later, on any thread

    ``launched`` notes the innermost open row of its thread: the op, or the range, that the time is credited to.
    ``synchronize()`` waits until everything launched has run and was told of with ``ran``; a profile calls it before it
    ends. ``clock_ns()`` reads the clock that ``ran`` is told times of; it may be off the host's by any amount and
    drift. Both may fail: the profile then says so and goes on without. Memory of the device is told of with
    ``allocated`` and ``released``.
    """

    def __init__(self, name: str, index: int = 0, *, synchronize: Callable[[], object],
                 clock_ns: Callable[[], int]) -> None:
        self.name, self.index = name, index
        self.synchronize, self.clock_ns = synchronize, clock_ns
        self.allocated_bytes = 0
        self._in_flight: dict[int, Launch] = {}
        with _lock:
            _devices.append(self)

    def unregister(self) -> None:
        """Leave: no profile asks this device for anything from now on."""
        with _lock:
            _devices[:] = [device for device in _devices if device is not self]
            self._in_flight.clear()

    def launched(self, queue: int, name: str, kind: str = "kernel") -> int:
        """Work is put on a queue: its number, or 0 if nobody listens. Kinds: kernel, memcpy, memset."""
        if not _listeners:
            return 0
        hearing = [listener for listener in tuple(_listeners) if listener.hears(self)]
        if not hearing:
            return 0
        for listener in hearing:
            listener.meet(self)
        thread, row = _innermost()
        launch = Launch(next(_numbers), rows.now_ns(), row, thread, queue, exact_text(name), KINDS[kind])
        with _lock:
            self._in_flight[launch.number] = launch
            if len(self._in_flight) > MOST_IN_FLIGHT:
                forgotten = self._in_flight.pop(next(iter(self._in_flight)))
                for listener in _listeners:
                    listener.lost += listener.has_heard(self, forgotten.number)
        return launch.number

    def ran(self, launch: int, start_device_ns: int, end_device_ns: int, bytes: int = 0) -> None:  # noqa: A002
        """It has run, from one moment to another of the device's clock; memory copies and sets say how many bytes."""
        if not -MOST_NS <= start_device_ns <= end_device_ns <= MOST_NS:
            raise ValueError(f"work cannot run from {start_device_ns} to {end_device_ns} ns")
        with _lock:
            known = self._in_flight.pop(launch, None)
            if known is not None:
                for listener in _listeners:
                    if listener.has_heard(self, launch):
                        listener.add(self, known, start_device_ns, end_device_ns, bytes)
        _write_if_full()

    def allocated(self, address: int, nbytes: int) -> None:
        """A block of the device's memory came."""
        self._changed(address, nbytes)

    def released(self, address: int, nbytes: int) -> None:
        """It went."""
        self._changed(address, -nbytes)

    def _changed(self, address: int, change: int) -> None:
        with _lock:
            self.allocated_bytes += change
            if any(listener.wants_memory for listener in _listeners):
                thread, row = _innermost()
                for listener in _listeners:
                    listener.add_memory(self, rows.now_ns(), address, change, row, thread)
        _write_if_full()

    def in_flight(self, since: int) -> int:
        """How many launches from one on have not run yet."""
        return sum(number >= since for number in tuple(self._in_flight))


_lock = new_lock()
_numbers = itertools.count(1)
_devices: list[DeviceActivity] = []
_listeners: list[Listener] = []


def _innermost() -> tuple[int, int]:
    """This thread, and the handle of its innermost open row; -1 for none."""
    thread = rows.current_thread()
    open_rows = logs.open_rows(thread)
    return thread, thread << NUMBER_BITS | open_rows[0] if open_rows else -1


def _write_if_full() -> None:
    """Have what was heard written to disk by profiles that spill, before there is no room for more."""
    if any(listener.is_nearly_full for listener in tuple(_listeners)):
        recorder.write_devices()


def registered(name: str | None = None) -> list[DeviceActivity]:
    """All devices, or all of a name."""
    return [device for device in tuple(_devices) if name is None or device.name == name]


def begin(listener: Listener) -> Listener:
    """Tell a listener of everything from now on."""
    for device in registered():
        if listener.hears(device):
            listener.meet(device)
    with _lock:
        listener.since = next(_numbers)
        _listeners.append(listener)
    return listener


def end(listener: Listener) -> None:
    """Tell it no more; as often as wanted."""
    with _lock:
        _listeners[:] = [other for other in _listeners if other is not listener]
        if not _listeners:
            for device in _devices:
                device._in_flight.clear()


def synchronize(listener: Listener) -> None:
    """Let every device that a listener hears of finish its work."""
    for device in registered():
        if listener.hears(device):
            listener.synchronize(device)


def _after_fork() -> None:
    """The child has no thread of a device's: nothing that was launched before will run here."""
    for device in _devices:
        device._in_flight.clear()
    for listener in _listeners:
        listener.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
