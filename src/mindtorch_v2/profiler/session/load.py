"""Profiles read from files: those that were saved, and what a process that is gone had recorded."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np

from ...record import device_journal, locks
from ...record.journal_file import MEMORY_ROWS, ROWS, TENSORS
from ...record.journal_reading import LeftBehind, OnDisk, left_behind, numbered, threads_in, words_in
from ...record.layout import NUMBER_BITS, PYTHON_CALL, UNFINISHED
from ...record.names import NO_NAME
from ...record.objects import Objects
from ...record.overflow import POLICIES
from ...record.recorder import Recording, ThreadRows, Window
from ...record.vocabulary import Vocabulary
from ..results.profile_results import ProfileResults
from .activities import ACTIVITY_OF, ProfilerActivity
from .drain import RECORDED
from .kineto_profile import SWITCHES, _KinetoProfile
from .recordings import Part, reserve_ids

LOW_BITS = 0xFFFFFFFF  # of a row's number, by which memory and tensors name it


def load(path: str | os.PathLike) -> ProfileResults:
    """The profile in a file that ``save`` wrote, or in a Chrome trace, PyTorch's own included; or the one that was
    recorded into a folder, or into one file of it, up to the moment its process ended.

    It answers as a profile that was stopped does: ``events()``, ``key_averages()``, ``export_chrome_trace()`` …
    """
    if not os.path.isdir(path):
        saved = locks.load("..results.loading", __package__)
        if saved.is_saved(path):
            return saved.load_saved(path)
        traces = locks.load("..results.chrome_reading", __package__)
        if traces.looks_like_a_trace(path):
            return traces.load_trace(path)
    return _left_behind(path)


def _left_behind(path: str | os.PathLike) -> _KinetoProfile:
    """The profile that a process which is gone had recorded."""
    journals = left_behind(path)
    about = journals[0].about
    loaded = _KinetoProfile(activities=[ProfilerActivity.CPU], **{name: bool(about.get(name)) for name in SWITCHES})
    loaded.prepare_trace()
    wishes = {name: bool(about[name]) for name in RECORDED if name in about and name != "overflow"}
    wishes["overflow"] = about["overflow"] if about.get("overflow") in POLICIES else POLICIES[0]
    if isinstance(about.get("device"), str):
        wishes |= _of_device(loaded, about)
    loaded.profiler._recordings.restore([_part(journal) for journal in journals], **wishes)
    return loaded


def _of_device(loaded: _KinetoProfile, about: dict) -> dict:
    """What was asked of a device, which need not be here."""
    device, kinds = about["device"], about.get("device_kinds")
    loaded.use_device = loaded.profiler.use_device = device
    loaded.activities = {ACTIVITY_OF.get(device, ProfilerActivity.PrivateUse1)}
    if use_cpu := about.get("use_cpu") is not False:
        loaded.activities.add(ProfilerActivity.CPU)
    return {"device": device, "use_cpu": use_cpu,
            "device_kinds": frozenset(kind for kind in kinds if type(kind) is int) if isinstance(kinds, list) else None}


def _part(journal: LeftBehind) -> Part:
    of_device, stored = device_journal.read(journal.files), threads_in(journal.files)
    recording = _recording(journal, stored)
    if of_device is not None:
        of_device = replace(of_device, **{name: _renumbered(getattr(of_device, name), stored)
                                          for name in ("activities", "memory")})
        last_ns = of_device.on_host_clock().activities["end_ns"].max(initial=recording.end_ns)
        recording = replace(recording, end_ns=int(last_ns))
    return Part(Window(), recording=recording, first_id=reserve_ids(recording.size), of_device=of_device)


def _recording(journal: LeftBehind, on_disk: dict[tuple[int, int], OnDisk]) -> Recording:
    words, start = words_in(journal.files), journal.start
    threads = [(key[0], number, on_disk[key]) for key, number in numbered(list(on_disk))
               if on_disk[key].pieces[ROWS] or on_disk[key].pieces[MEMORY_ROWS]]
    end_ns = max([words.end_ns, start["start_ns"], *(_last_ns(stored) for _, _, stored in threads)])
    read = [_thread(log, number, stored, end_ns) for log, number, stored in threads]
    return Recording(start["start_ns"], end_ns, start["wall_offset_ns"], start["pid"], start["start_bytes"], read,
                     Vocabulary(words.names, words.declared or [(NO_NAME, "")]), Vocabulary(words.inputs),
                     Objects(words.modules, words.optimizers), words.refused)


def _last_ns(stored: OnDisk) -> int:
    """When the last thing on a thread happened."""
    last_rows, last_changes = stored.array(ROWS)[-1:], stored.array(MEMORY_ROWS)[-1:]
    return max(0, *last_rows["start_ns"].tolist(), *last_rows["end_ns"].tolist(), *last_changes["time_ns"].tolist())


def _thread(log: int, number: int, stored: OnDisk, end_ns: int) -> ThreadRows:
    """A thread's rows in memory: those that were open end where the recording does, parents that are lost are none."""
    on_disk = stored.array(ROWS)
    calls, memory, tensors = on_disk[:].copy(), stored.array(MEMORY_ROWS)[:], stored.array(TENSORS)[:]
    is_open = calls["end_ns"] == 0
    calls["end_ns"][is_open] = end_ns
    calls["flags"][is_open & (calls["scope"] < PYTHON_CALL)] |= UNFINISHED
    if not on_disk.is_unbroken:  # rows are named by numbers that count some which are not here
        numbers = on_disk.numbers()
        at = _places(numbers, numbers - calls["back"])
        calls["back"] = np.where((calls["back"] > 0) & (at >= 0), np.arange(len(calls)) - at, 0)
        memory, tensors = memory.copy(), tensors.copy()
        for naming in (memory, tensors):
            named = on_disk.first + ((naming["row"].astype(np.int64) - 1 - on_disk.first) & LOW_BITS)
            at = _places(numbers, named)
            naming["row"] = np.where((naming["row"] > 0) & (at >= 0), on_disk.first + at + 1, 0) & LOW_BITS
    return ThreadRows(number, stored.os_id, stored.name, on_disk.first, calls, memory, tensors, log)


def _renumbered(of_device: np.ndarray, threads: dict[tuple[int, int], OnDisk]) -> np.ndarray:
    """The rows that launched work, by the numbers they have among those that are here; -1 for one that is not."""
    handles, of_device = of_device["row"], of_device.copy()
    log, named = handles >> NUMBER_BITS, handles & ((1 << NUMBER_BITS) - 1)
    for (thread, _), stored in threads.items():
        on_disk = stored.array(ROWS)
        if len(on_disk) and not on_disk.is_unbroken:
            numbers = on_disk.numbers()
            here = (handles >= 0) & (log == thread) & (named >= numbers[0]) & (named <= numbers[-1])
            at = _places(numbers, named[here])
            of_device["row"][here] = np.where(at >= 0, (thread << NUMBER_BITS) + on_disk.first + at, -1)
    return of_device


def _places(numbers: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Where numbers stand among those that are here, or -1."""
    if not len(numbers):
        return np.full(len(wanted), -1)
    at = np.minimum(np.searchsorted(numbers, wanted), len(numbers) - 1)
    return np.where(numbers[at] == wanted, at, -1)
