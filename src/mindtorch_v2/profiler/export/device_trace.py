"""What devices did, as events of a trace: torch's categories, a track for every stream, arrows from the launches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..table.columns import BLOCK
from ..table.event_table import EventTable
from ..views.device_events import ACTIVITY_TYPES, launch_name
from ..views.device_type import DeviceType
from ..views.event_metadata import device_metadata
from .json_text import dump
from .trace_text import us

DEVICES_SORT_INDEX = 5000000  # torch lists devices below processes
ANOTHER_PROCESS = 1000  # devices of further processes are numbered from here on, so that tracks stay apart
# The category of the calls that launch.
RUNTIMES = {DeviceType.CUDA: "cuda_runtime", DeviceType.XPU: "xpu_runtime", DeviceType.MTIA: "mtia_runtime"}
OWN_RUNTIME = "privateuse1_runtime"


class Activity(NamedTuple):
    """One row of the columns of device activity."""

    correlation: int
    launch_ns: int
    start_ns: int
    end_ns: int
    event: int
    thread: int
    device_type: int
    device_index: int
    queue: int
    kind: int
    name: int
    bytes: int


class DeviceTrace:
    """The activities of devices as text; nothing where there are none."""

    def __init__(self, table: EventTable):
        self._table, self._device, self._memory = table, table.device, table.device_memory
        self._name = table.window.device
        self._pids = {thread.index: table.pid_of(thread) for thread in table.threads}
        self._os_ids = {thread.index: thread.os_id for thread in table.threads}
        self._tracks = _tracks(self._rows("thread", "device_type", "device_index"), self._pids)

    def _rows(self, *names: str) -> Iterator[tuple[int, ...]]:
        for begin in range(0, self._device.n_rows, BLOCK):
            yield from zip(*(self._device[name][begin:begin + BLOCK].tolist() for name in names))

    def properties(self) -> list[dict]:
        """What the file says of devices at its head."""
        return [{"id": number, "name": self._name} for number in sorted(self._tracks.values())]

    def pieces(self, base_ns: int) -> Iterator[bytes]:
        """The lines of the trace, a block at a time."""
        if self._device.n_rows:
            yield "".join(self._header(base_ns)).encode()
        number, overlaps = len(self._table) + self._table.memory.n_rows, self._overlapping()
        lines: list[str] = []
        for at, row in enumerate(self._rows(*Activity._fields)):
            lines += self._activity(base_ns, number + at, overlaps[at], Activity(*row))
            if len(lines) > BLOCK:
                yield "".join(lines).encode()
                lines = []
        lines += self._changes(base_ns, number + self._device.n_rows)
        yield "".join(lines).encode()

    def _header(self, base_ns: int) -> Iterator[str]:
        ts = us(self._table.window.start_ns - base_ns)

        def said(what: str, pid: int, tid: int, **args) -> str:
            return f'{{"ph": "M", "name": "{what}", "ts": {ts}, "pid": {pid}, "tid": {tid}, "args": {dump(args)}}},\n'

        label = "GPU" if self._name == "cuda" else self._name.upper()
        for (_, _, index), pid in self._tracks.items():
            yield said("process_name", pid, 0, name="python")
            yield said("process_labels", pid, 0, labels=f"{label} {index}")
            yield said("process_sort_index", pid, 0, sort_index=DEVICES_SORT_INDEX + pid)
        streams = {(self._track(*place), queue) for *place, queue in
                   self._rows("thread", "device_type", "device_index", "queue")}
        for pid, queue in sorted(streams):
            yield said("thread_name", pid, queue, name=f"stream {queue} ")
            yield said("thread_sort_index", pid, queue, sort_index=queue)

    def _track(self, thread: int, device_type: int, device_index: int) -> int:
        return self._tracks[self._pids.get(thread, 0), device_type, device_index]

    def _activity(self, base_ns: int, number: int, overlaps: bool, activity: Activity) -> Iterator[str]:
        """The call that launched it, the activity, and the arrow between them."""
        thread, flow = activity.thread, f'"id": {activity.correlation}'
        launched = (f'"pid": {self._pids.get(thread, 0)}, "tid": {self._os_ids.get(thread, 0)}, '
                    f'"ts": {us(activity.launch_ns - base_ns)}')
        track = (f'"pid": {self._track(thread, activity.device_type, activity.device_index)}, '
                 f'"tid": {activity.queue}')
        ts, end = (f'"ts": {us(time_ns - base_ns)}' for time_ns in (activity.start_ns, activity.end_ns))
        yield (f'{{"ph": "X", "cat": "{RUNTIMES.get(DeviceType(activity.device_type), OWN_RUNTIME)}", '
               f'"name": {dump(launch_name(self._name, activity.kind))}, {launched}, "dur": 0.000, '
               f'"args": {{"External id": {activity.event}, "correlation": {activity.correlation}}}}},\n')
        yield f'{{"ph": "s", {flow}, {launched}, "cat": "ac2g", "name": "ac2g"}},\n'
        common = (f'"cat": "{ACTIVITY_TYPES[activity.kind]}", "name": {dump(self._table.names[activity.name][0])}, '
                  f'{track}')
        args = f'"args": {{"Ev Idx": {number}, {_args(activity)}}}'
        length = f'"dur": {us(activity.end_ns - activity.start_ns)}'
        if overlaps:  # viewers drop slices that overlap without nesting: it gets a track of its own
            local = f'"id2": {{"local": "{activity.correlation}"}}'
            yield f'{{"ph": "b", {common}, {local}, {ts}, {length}, {args}}},\n'
            yield f'{{"ph": "e", {common}, {local}, {end}}},\n'
        else:
            yield f'{{"ph": "X", {common}, {ts}, {length}, {args}}},\n'
        yield f'{{"ph": "f", {flow}, {track}, {ts}, "cat": "ac2g", "name": "ac2g", "bp": "e"}},\n'

    def _overlapping(self) -> np.ndarray:
        """Which activities begin before another one of their queue has ended."""
        overlaps, ends_ns = np.zeros(self._device.n_rows, bool), {}
        tracks = [(self._track(*place), queue)
                  for *place, queue in self._rows("thread", "device_type", "device_index", "queue")]
        start_ns, end_ns = (self._device[name].tolist() for name in ("start_ns", "end_ns"))
        for at in np.argsort(self._device["start_ns"], kind="stable").tolist():
            overlaps[at] = start_ns[at] < ends_ns.get(tracks[at], start_ns[at])
            if not overlaps[at]:
                ends_ns[tracks[at]] = end_ns[at]
        return overlaps

    def _changes(self, base_ns: int, first_number: int) -> Iterator[str]:
        """Changes of devices' memory."""
        names = ("time_ns", "thread", "change", "total", "address", "device_type", "device_index")
        for at, (time_ns, thread, change, total, address, device_type, index) in enumerate(
                zip(*(self._memory[name].tolist() for name in names))):
            yield (f'{{"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", '
                   f'"pid": {self._pids.get(thread, 0)}, "tid": {self._os_ids.get(thread, 0)}, '
                   f'"ts": {us(time_ns - base_ns)}, "args": {{"Total Reserved": 0, "Total Allocated": {total}, '
                   f'"Bytes": {change}, "Device Id": {index}, "Device Type": {device_type}, "Addr": {address}, '
                   f'"Ev Idx": {first_number + at}}}}},\n'
                   f'{{"ph": "C", "name": "Memory of {self._name} {index}", "pid": {self._pids.get(thread, 0)}, '
                   f'"tid": {self._os_ids.get(thread, 0)}, "ts": {us(time_ns - base_ns)}, '
                   f'"args": {{"bytes": {total}}}}},\n')


def _args(activity: Activity) -> str:
    """What an activity says of itself."""
    said = {"External id": activity.event, "device": activity.device_index, "correlation": activity.correlation}
    said |= device_metadata(activity.queue, activity.kind, activity.bytes, activity.end_ns - activity.start_ns)
    return ", ".join(f'"{key}": {value}' for key, value in said.items())


def _tracks(rows: Iterator[tuple[int, int, int]], pids: dict[int, int]) -> dict[tuple[int, int, int], int]:
    """Numbers that stand for devices where a trace has processes: their own, unless another device has the same."""
    tracks: dict[tuple[int, int, int], int] = {}
    for thread, device_type, index in rows:
        key = pids.get(thread, 0), device_type, index
        if key not in tracks:
            number = index
            while number in tracks.values():
                number += ANOTHER_PROCESS
            tracks[key] = number
    return tracks
