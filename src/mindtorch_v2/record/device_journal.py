"""What devices did, in a journal: one block for all that came since the last, with its own names, devices and threads.

A block is the length of its facts, the facts as JSON, the activities and the changes of memory as layout.py describes
them. Its numbers let a reader leave out what it has from elsewhere. Times are on the devices' clocks: each block says
how these stood against the host's.
"""

from __future__ import annotations

import json
import struct

import numpy as np

from .device_clock import MOST_NS, Reading
from .device_recording import ClockedDevice, DeviceRecording, joined
from .journal_file import DEVICES, FinishedFile, JournalFile, as_json, blocks, is_whole
from .layout import DEVICE_ACTIVITY, DEVICE_MEMORY, KERNEL, MEMSET

LENGTH = struct.Struct("<q")
MOST_BYTES = 1 << 62
MOST_LOG = 1 << 30  # more threads than there can be; further ones are numbered behind
INT32, INT64 = 1 << 31, 1 << 63
Files = list[JournalFile | FinishedFile]


def write(file: JournalFile, recording: DeviceRecording) -> None:
    """Write a block; it is there as a whole or not at all."""
    facts = as_json({"names": recording.names, "devices": recording.devices, "dropped": recording.dropped,
                     "threads": [[log, *known] for log, known in recording.threads.items()],
                     "firsts": recording.firsts, "counts": [len(recording.activities), len(recording.memory)]})
    file.append_checked(DEVICES, LENGTH.pack(len(facts)) + facts + recording.activities.tobytes()
                        + recording.memory.tobytes())


def read(files: Files) -> DeviceRecording | None:
    """All that the files hold, if anything; ValueError where something in them was never written by a profile."""
    return joined(parts) if (parts := _parts(files)) else None


def with_stored(held: DeviceRecording, files: Files) -> DeviceRecording:
    """What is on disk and before it in the order of numbers, and what was held in memory."""
    return joined([*(part.until(*held.firsts) for part in _parts(files)), held])


def _parts(files: Files) -> list[DeviceRecording]:
    parts = []
    for file in files:
        for block in blocks(file):
            if block.kind == DEVICES and is_whole(file, block):
                try:
                    parts.append(_part(file.read(block.offset, block.size)))
                except (TypeError, ValueError, KeyError, RecursionError, struct.error) as error:
                    raise ValueError(f"{file.path!r} is damaged: it has work of devices that nobody wrote "
                                     f"({error})") from error
    return parts


def _part(data: bytes) -> DeviceRecording:
    length, = LENGTH.unpack_from(data)
    if not 0 <= length <= len(data) - LENGTH.size:
        raise ValueError("its facts are longer than the block")
    at = LENGTH.size + length
    facts = json.loads(data[LENGTH.size:at])
    n_activities, n_changes = map(_number, facts["counts"])
    first_activity, first_change = map(_number, facts["firsts"])
    sizes = [n_activities * DEVICE_ACTIVITY.itemsize, n_changes * DEVICE_MEMORY.itemsize]
    if at + sum(sizes) != len(data):
        raise ValueError("it is of another length than its facts say")
    recording = DeviceRecording(
        np.frombuffer(data, DEVICE_ACTIVITY, n_activities, at), np.frombuffer(data, DEVICE_MEMORY, n_changes,
                                                                              at + sizes[0]),
        [str(name) for name in facts["names"]], [_device(*device) for device in facts["devices"]],
        {_number(log): (_number(os_id), str(name)) for log, os_id, name in facts["threads"]},
        _number(facts["dropped"]), firsts=(first_activity, first_change))
    _check(recording)
    return recording


def _device(name: object, index: object, first: object, last: object) -> ClockedDevice:
    if type(index) is not int or not -INT32 <= index < INT32:
        raise ValueError(f"a device has the number {index!r}")
    return ClockedDevice(str(name), index, *(None if one is None else _reading(*one) for one in (first, last)))


def _reading(host_ns: object, device_ns: object, error_ns: object) -> Reading:
    reading = Reading(host_ns, device_ns, error_ns)
    if not all(type(time_ns) is int and -MOST_NS <= time_ns <= MOST_NS for time_ns in reading):
        raise ValueError("a clock was read at no time")
    return reading


def _number(value: object) -> int:
    if type(value) is not int or not 0 <= value < INT64:
        raise ValueError(f"{value!r} is no count")
    return value


def _check(recording: DeviceRecording) -> None:
    """Whether all numbers are such as a listener writes."""
    activities, memory = recording.activities, recording.memory
    logs = np.array(list(recording.threads), np.int64)
    _within(logs, 1, MOST_LOG, "threads")
    _within(activities["name"], 0, len(recording.names) - 1, "names")
    _within(activities["kind"], KERNEL, MEMSET, "kinds")
    _within(activities["bytes"], -MOST_BYTES, MOST_BYTES, "bytes")
    for name in ("launch_ns", "start_ns", "end_ns"):
        _within(activities[name], -MOST_NS, MOST_NS, "times")
    _within(memory["time_ns"], -MOST_NS, MOST_NS, "times")
    _within(memory["change"], -MOST_BYTES, MOST_BYTES, "bytes")
    for rows in (activities, memory):
        _within(rows["device"], 0, len(recording.devices) - 1, "devices")
        _within(rows["row"], -1, INT64 - 1, "rows")
        if not np.isin(rows["thread"], logs).all():
            raise ValueError("threads are out of range")
    if (activities["end_ns"] < activities["start_ns"]).any():
        raise ValueError("work ends before it begins")


def _within(numbers: np.ndarray, least: int, most: int, what: str) -> None:
    if len(numbers) and not (numbers.min() >= least and numbers.max() <= most):
        raise ValueError(f"{what} are out of range")
