"""Files of NVIDIA's nvprof, read as torch reads them: markers are events, kernels belong to the markers around them."""

from __future__ import annotations

import ctypes
import ctypes.util
import sqlite3
from collections import defaultdict
from contextlib import closing

from ..export.event_list import EventList
from ..views.function_event import FunctionEvent

LAUNCH = 211  # nvprof's number for the call that launches a kernel
MARKERS = """
    SELECT start.id AS marker, start.name AS name, start.timestamp AS start_time, end.timestamp AS end_time
    FROM CUPTI_ACTIVITY_KIND_MARKER AS start JOIN CUPTI_ACTIVITY_KIND_MARKER AS end ON start.id = end.id
    WHERE start.name != 0 AND end.name = 0"""
KERNELS = """
    SELECT start.id AS marker, runtime._id_ AS runtime, runtime.cbid AS cbid, kernel.name AS name,
           kernel.start AS start, kernel.end AS end
    FROM CUPTI_ACTIVITY_KIND_MARKER AS start
    JOIN CUPTI_ACTIVITY_KIND_MARKER AS end ON start.id = end.id
    JOIN CUPTI_ACTIVITY_KIND_RUNTIME AS runtime
         ON start.timestamp < runtime.start AND runtime.end < end.timestamp
    JOIN CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL AS kernel ON kernel.correlationId = runtime.correlationId
    WHERE start.name != 0 AND end.name = 0"""


class StringTable(defaultdict):
    """Names by themselves; those that C++ has mangled in words."""

    __module__ = "mindtorch_v2.autograd.profiler_util"

    def __missing__(self, key):
        self[key] = key if len(key) <= 1 else demangled(key)
        return self[key]


class EnforceUnique:
    """Raises when a key is seen twice."""

    __module__ = "mindtorch_v2.autograd.profiler"

    def __init__(self):
        self.seen: set = set()

    def see(self, *key) -> None:
        """Note a key, or refuse it."""
        if key in self.seen:
            raise RuntimeError("duplicate key: " + str(key))
        self.seen.add(key)


def load_nvprof(path) -> EventList:
    """The events of an nvprof file."""
    return EventList(parse_nvprof_trace(path))


def parse_nvprof_trace(path) -> list[FunctionEvent]:
    """The same as a plain list, in order of time."""
    with closing(sqlite3.connect(path)) as file:
        file.row_factory = sqlite3.Row
        words, once = StringTable(), EnforceUnique()
        strings = {row["id"]: words[row["value"]] for row in file.execute("SELECT _id_ AS id, value FROM StringTable")}
        events = {}
        for row in file.execute(MARKERS):
            once.see(row["marker"])
            events[row["marker"]] = FunctionEvent(
                id=row["marker"], node_id=0, name=strings[row["name"]], thread=0, start_us=row["start_time"],
                end_us=row["end_time"])
        once = EnforceUnique()
        for row in file.execute(KERNELS):
            once.see(row["marker"], row["runtime"])
            if row["cbid"] != LAUNCH:
                raise AssertionError(f"Expected cbid to be {LAUNCH}, but got {row['cbid']}")
            events[row["marker"]].append_kernel(row["name"], 0, row["end"] - row["start"])
    return sorted(events.values(), key=lambda event: event.time_range.start)


def demangled(name: str) -> str:
    """A C++ symbol in words where the C++ library is at hand to say them; else as it is."""
    library = ctypes.util.find_library("stdc++")
    if library is None or not name.startswith("_Z"):
        return name
    demangle = ctypes.CDLL(library).__cxa_demangle
    demangle.restype = ctypes.c_void_p
    status = ctypes.c_int()
    plain = demangle(name.encode(), None, None, ctypes.byref(status))
    if not plain:
        return name
    try:
        return ctypes.string_at(plain).decode()
    finally:
        ctypes.CDLL(None).free(ctypes.c_void_p(plain))
