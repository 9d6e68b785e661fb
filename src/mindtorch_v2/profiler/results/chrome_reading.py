"""Chrome traces as profiles: PyTorch's own and ours, read into the table that everything else asks.

A trace does not say everything: what is read of it are ops, ranges and Python's calls with their times, threads,
shapes and sequence numbers, and changes of memory. Work on devices and FLOPs are left out.
"""

from __future__ import annotations

import gzip
import json
import math
import os
from collections import Counter, defaultdict
from typing import NamedTuple

import numpy as np

from ..table import columns
from ..table.columns import PYTHON_SCOPE, USER_SCOPE
from ..table.event_table import EventTable, Thread, Window
from ..views import intervals
from ..views.inputs import CPP_TYPES
from .checking import UNKNOWN_TYPE, is_described
from .loaded import Kept, LoadedAutogradProfile, LoadedProfile, Switches
from .overhead import Overhead

NS_PER_US = 1000
OP_SCOPE, BACKWARD_SCOPE = 0, 1
# The categories that are read, and the kind of caller each is.
SCOPES = {"cpu_op": OP_SCOPE, "user_annotation": USER_SCOPE, "python_function": PYTHON_SCOPE}
MEMORY_EVENT = "[memory]"
CPU_DEVICE = 0
TYPES = {shown: name for name, shown in CPP_TYPES.items()}
LIKELY = (b"{", b"[", b"\x1f\x8b")  # how a trace begins, compressed or not
LARGEST = 2**62  # what columns hold, with room for a sum of two
LARGEST_TIME_US = LARGEST / NS_PER_US / 2
MOST_SHOWN = 40  # characters of what is refused


class Call(NamedTuple):
    """One event of a trace."""

    name: str
    start_ns: int
    end_ns: int
    process: int
    thread: int
    scope: int
    sequence: int
    forward_thread: int
    inputs: tuple


def looks_like_a_trace(path: str | os.PathLike) -> bool:
    """Whether a file begins as traces do."""
    with open(path, "rb") as file:
        return file.read(64).lstrip().startswith(LIKELY)


def load_trace(path: str | os.PathLike) -> LoadedProfile:
    """The profile that a Chrome trace shows; ValueError says what is wrong with a file that is none."""
    events, base_ns = _parsed(path)
    try:
        calls, memory, names = _events(events)
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)!r} is no Chrome trace: {error}") from None
    if not calls:
        raise ValueError(f"{os.fspath(path)!r} holds no ops, ranges or Python calls of a profiler")
    return _profile(_table(calls, memory, names, base_ns))


def _parsed(path: str | os.PathLike) -> tuple[list, int]:
    """The events of a trace, and the moment that their times count from."""
    try:
        with open(path, "rb") as file:
            content = file.read()
        trace = json.loads(gzip.decompress(content) if content[:2] == LIKELY[2] else content)
    except (ValueError, EOFError, gzip.BadGzipFile, RecursionError) as error:
        raise ValueError(f"{os.fspath(path)!r} is no Chrome trace: {error}") from None
    events = trace.get("traceEvents") if isinstance(trace, dict) else trace
    if not isinstance(events, list):
        raise ValueError(f"{os.fspath(path)!r} is no Chrome trace: it has no list of traceEvents")
    return events, _whole(trace.get("baseTimeNanoseconds"), 0) if isinstance(trace, dict) else 0


def _events(events: list) -> tuple[list[Call], list[tuple], dict[tuple, str]]:
    """Calls by start and the longest first, changes of memory, and names of threads."""
    calls, memory, names = [], [], {}
    for number, event in enumerate(events):
        if not isinstance(event, dict):
            continue
        args = event.get("args") if isinstance(event.get("args"), dict) else {}
        place = _number(event.get("pid")), _number(event.get("tid"))
        category = event.get("cat")
        if event.get("ph") == "X" and isinstance(category, str) and category in SCOPES:
            calls.append(_call(number, event, args, place))
        elif event.get("ph") == "M" and event.get("name") == "thread_name":
            names[place] = str(args.get("name", ""))
        elif event.get("name") == MEMORY_EVENT and args.get("Device Type") == CPU_DEVICE:
            memory.append((_ns(number, event, "ts"), _number(args.get("Addr")), _number(args.get("Bytes")),
                           _number(args.get("Total Allocated")), place))
    calls.sort(key=lambda call: (call.start_ns, -call.end_ns))
    return calls, sorted(memory), names


def _call(number: int, event: dict, args: dict, place: tuple[int, int]) -> Call:
    start_ns = _ns(number, event, "ts")
    lasted_ns = _ns(number, event, "dur", least=0) if "dur" in event else 0
    forward_thread = _number(args.get("Fwd thread id"))
    scope = BACKWARD_SCOPE if event["cat"] == "cpu_op" and forward_thread else SCOPES[event["cat"]]
    return Call(str(event.get("name", "")), start_ns, start_ns + lasted_ns, *place, scope,
                _whole(args.get("Sequence number"), -1), forward_thread, _inputs(args))


def _ns(number: int, event: dict, field: str, least: float = -LARGEST_TIME_US) -> int:
    """A time of an event, which is given in microseconds; ValueError if it is none."""
    time_us = event.get(field)
    if isinstance(time_us, bool) or not isinstance(time_us, (int, float)) or not least <= time_us < LARGEST_TIME_US:
        raise ValueError(f"traceEvents[{number}] has no time that can be read: {field} is {str(time_us)[:MOST_SHOWN]}")
    return round(time_us * NS_PER_US)


def _number(value) -> int:
    """A number of a process, a thread or an address; texts that are none count as one of their own."""
    if isinstance(value, str) and not value.isdecimal():
        return sum(map(ord, value))
    try:
        return _whole(int(value), 0)
    except (TypeError, ValueError, OverflowError):
        return 0


def _whole(value, otherwise: int) -> int:
    """A whole number that a column can hold."""
    return value if isinstance(value, int) and abs(value) < LARGEST else otherwise


def _inputs(args: dict) -> tuple:
    """Inputs as rows describe them, as far as a trace does."""
    dims = args.get("Input Dims")
    if not isinstance(dims, list):
        return ()
    types, strides = (column if isinstance(column, list) and len(column) == len(dims) else [""] * len(dims)
                      for column in (args.get("Input type"), args.get("Input Strides")))
    return tuple(map(_described, dims, map(str, types), strides))


def _described(shape, shown: str, strides):
    if not isinstance(shape, list):
        return None
    if shape and all(isinstance(item, list) for item in shape):
        of_items = strides if isinstance(strides, list) and len(strides) == len(shape) else [""] * len(shape)
        return ("[]", *(_tensor(item, UNKNOWN_TYPE, given) for item, given in zip(shape, of_items)))
    if shape or TYPES.get(shown):
        return _tensor(shape, TYPES.get(shown, UNKNOWN_TYPE), strides)
    return None


def _tensor(shape: list, dtype: str, strides) -> tuple | None:
    """A tensor that a row can remember; in a row where the trace says nothing of strides."""
    sizes = tuple(_whole(size, -1) for size in shape)
    if isinstance(strides, list) and len(strides) == len(sizes) and all(type(step) is int for step in strides):
        steps = tuple(strides)
    else:
        steps = tuple(math.prod(sizes[place + 1:]) for place in range(len(sizes)))
    return (sizes, dtype, steps) if is_described((sizes, dtype, steps)) else None


def _table(calls: list[Call], memory: list[tuple], names: dict[tuple, str],
           base_ns: int) -> EventTable:
    places = {place: number for number, place in enumerate(dict.fromkeys(
        [*((call.process, call.thread) for call in calls), *(change[-1] for change in memory)]), start=1)}
    went_forward = _forward_threads(calls, places)
    words: dict[str, int] = {}
    inputs: dict[tuple, int] = {}
    rows = columns.blank(columns.EVENTS, len(calls))
    rows["id"] = np.arange(1, len(calls) + 1)
    for at, call in enumerate(calls):
        thread = places[call.process, call.thread]
        rows["start_ns"][at], rows["end_ns"][at], rows["sequence"][at] = call.start_ns, call.end_ns, call.sequence
        rows["name"][at] = words.setdefault(call.name, len(words))
        rows["inputs"][at] = inputs.setdefault(call.inputs, len(inputs)) if call.inputs else -1
        rows["thread"][at], rows["scope"][at] = thread, call.scope
        rows["forward_thread"][at] = went_forward.get((call.process, call.forward_thread), 0)
    _nest(rows, len(places))
    first_ns, last_ns = int(rows["start_ns"].min()), int(rows["end_ns"].max())
    window = Window(first_ns, last_ns, base_ns, calls[0].process, bool(inputs), bool(memory), False,
                    bool((rows["scope"] >= PYTHON_SCOPE).any()))
    threads = tuple(Thread(number, place[1], names.get(place, f"thread {place[1]}"), place[0])
                    for place, number in places.items())
    changes = _memory(memory, rows, places)
    return EventTable(rows, changes, [(word, "") for word in words], list(inputs), threads, window)


def _forward_threads(calls: list[Call], places: dict[tuple, int]) -> dict[tuple[int, int], int]:
    """The thread that each of torch's own numbers of threads means, by which backward nodes say where forward was: the
    one with most ops of the same sequence numbers."""
    forward: dict[tuple[int, int], int] = {}
    for call in calls:
        if call.sequence >= 0 and not call.forward_thread:
            forward[call.process, call.sequence] = places[call.process, call.thread]
    votes: dict[tuple[int, int], Counter[int]] = defaultdict(Counter)
    for call in calls:
        if call.forward_thread:
            votes[call.process, call.forward_thread][forward.get((call.process, call.sequence), 1)] += 1
    return {number: threads.most_common(1)[0][0] for number, threads in votes.items()}


def _nest(rows: dict[str, np.ndarray], n_threads: int) -> None:
    """Whose call each row is: of those on its thread, the innermost around it."""
    rows["parent"][:] = -1
    for thread in range(1, n_threads + 1):
        mine = np.flatnonzero(rows["thread"] == thread)
        above = intervals.parents(rows["start_ns"][mine], rows["end_ns"][mine])
        rows["parent"][mine] = np.where(above >= 0, mine[above], -1)


def _memory(changes: list[tuple], rows: dict[str, np.ndarray], places: dict[tuple, int]) -> dict[str, np.ndarray]:
    table = columns.blank(columns.MEMORY, len(changes))
    for at, (time_ns, address, change, total, place) in enumerate(changes):
        table["time_ns"][at], table["address"][at], table["change"][at] = time_ns, address, change
        table["total"][at], table["thread"][at], table["seen"][at] = total, places[place], 1
    table["event"][:] = -1
    for thread in np.unique(table["thread"]):
        mine, here = np.flatnonzero(rows["thread"] == thread), np.flatnonzero(table["thread"] == thread)
        at = intervals.innermost(rows["start_ns"][mine], rows["end_ns"][mine], table["time_ns"][here])
        table["event"][here] = np.where(at >= 0, mine[at] if len(mine) else -1, -1)
    return table


def _profile(table: EventTable) -> LoadedProfile:
    window = table.window
    settings = {"record_shapes": window.record_shapes, "profile_memory": window.profile_memory,
                "with_flops": window.with_flops, "with_stack": window.with_stack, "with_modules": False}
    profiler = LoadedAutogradProfile(Kept(table, 0, Overhead(0, 0, 0, 0)), Switches(), "", "", None, {}, settings)
    return LoadedProfile(profiler, None, {}, {}, settings)
