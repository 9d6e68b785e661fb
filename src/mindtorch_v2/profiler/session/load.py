"""Profiles read from files: those that were saved, and what a process that is gone had recorded."""

from __future__ import annotations

import os

import numpy as np

from ...record.journal_file import MEMORY_ROWS, ROWS, TENSORS
from ...record.journal_reading import LeftBehind, OnDisk, left_behind, numbered, threads_in, words_in
from ...record.layout import PYTHON_CALL, UNFINISHED
from ...record.names import NO_NAME
from ...record.objects import Objects
from ...record.overflow import POLICIES
from ...record.recorder import Recording, ThreadRows, Window
from ...record.vocabulary import Vocabulary
from ..results.loading import is_saved, load_saved
from ..results.profile_results import ProfileResults
from .drain import RECORDED
from .kineto_profile import _KinetoProfile
from .recordings import Part, reserve_ids

SWITCHES = ("record_shapes", "profile_memory", "with_flops", "with_stack")


def load(path: str | os.PathLike) -> ProfileResults:
    """The profile in a file that ``save`` wrote; or the one that was recorded into a folder, or into one file of it, up
    to the moment its process ended.

    It answers as a profile that was stopped does: ``events()``, ``key_averages()``, ``export_chrome_trace()`` …
    """
    if not os.path.isdir(path) and is_saved(path):
        return load_saved(path)
    return _left_behind(path)


def _left_behind(path: str | os.PathLike) -> _KinetoProfile:
    """The profile that a process which is gone had recorded."""
    journals = left_behind(path)
    about = journals[0].about
    loaded = _KinetoProfile(**{name: bool(about.get(name)) for name in SWITCHES})
    loaded.prepare_trace()
    recordings = loaded.profiler._recordings
    recordings.restore([_part(journal) for journal in journals],
                       **{name: bool(about[name]) for name in RECORDED if name in about and name != "overflow"},
                       overflow=about["overflow"] if about.get("overflow") in POLICIES else POLICIES[0])
    return loaded


def _part(journal: LeftBehind) -> Part:
    recording = _recording(journal)
    n = sum(len(thread.rows) + len(thread.memory) for thread in recording.threads)
    return Part(Window(), recording=recording, first_id=reserve_ids(n))


def _recording(journal: LeftBehind) -> Recording:
    words, start = words_in(journal.files), journal.start
    on_disk = threads_in(journal.files)
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
    calls, numbers = on_disk[:].copy(), on_disk.numbers()
    is_open = calls["end_ns"] == 0
    calls["end_ns"][is_open] = end_ns
    calls["flags"][is_open & (calls["scope"] < PYTHON_CALL)] |= UNFINISHED
    if not on_disk.is_unbroken:  # the distance to a parent counts rows that are not here
        parents = numbers - calls["back"]
        at = np.minimum(np.searchsorted(numbers, parents), len(numbers) - 1)
        is_there = (calls["back"] > 0) & (numbers[at] == parents)
        calls["back"] = np.where(is_there, np.arange(len(calls)) - at, 0)
    return ThreadRows(number, stored.os_id, stored.name, on_disk.first, calls, stored.array(MEMORY_ROWS)[:],
                      stored.array(TENSORS)[:], log)
