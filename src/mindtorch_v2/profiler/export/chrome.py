"""Chrome traces: one JSON object, its events in torch's shape, strictly nested and exact to the nanosecond."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..table.columns import BLOCK, MODULE_CALL, PYTHON_SCOPE, UNFINISHED, USER_SCOPE
from ..table.event_table import EventTable
from ..views import inputs, tree
from ..views.cpu_time import clocks_ns
from ..views.device_type import DeviceType
from ..views.python_calls import is_call, module_ids, python_ids
from ..views.visible_events import VisibleEvents, flows
from . import trace_text
from .call_stacks import CallStacks
from .device_trace import DeviceTrace
from .files import writing
from .json_text import dump
from .trace_text import us

# torch counts from a round moment, so that times keep their digits; a quarter of a year is 2**53 ns.
BASE_STEP_NS = 7776000 * 10**9
ROUNDED_NS = 2  # a start and a duration, added as doubles, may come out this much later: still before the end
SPANS = 536870912  # the number of a process that is none, and its place below all others
OTHER_KEYWORDS = "Keyword Inputs"
OPTIONS = ("with_stack", "profile_memory", "record_shapes", "with_flops")
SPARSE = 1 << 20  # numbers that are so much larger than there are rows are counted first
WORKER = "DataLoader worker "
LOADING = ("enumerate(DataLoader)#", "enumerate(DataPipe)#")  # ranges that TensorBoard counts among ops alone


class Trace(NamedTuple):
    """Everything a trace file says beside its events."""

    trace_id: str
    host_name: str
    metadata: dict[str, str]  # key to raw JSON
    categories: frozenset[str] | None = None  # None: all
    verbose: bool = False  # Python's calls say which thread made them
    for_tensorboard: bool = False  # in the words of its plugin, which are those of an earlier PyTorch

    @property
    def arrows(self) -> tuple[bytes, ...]:
        """The categories of the arrows from ops to their backward nodes."""
        return (b"fwdbwd", b"forward_backward") if self.for_tensorboard else (b"fwdbwd",)


def export_table(table: EventTable, trace: Trace, path) -> None:
    """Write a profile as a trace."""
    with writing(path) as out:
        for piece in pieces(table, trace, name_of(path)):
            out.write(piece)


def name_of(target) -> str:
    """What a trace calls itself: its path; nothing where it goes to a nameless file."""
    return str(getattr(target, "name", "")) if hasattr(target, "write") else os.fsdecode(target)


def pieces(table: EventTable, trace: Trace, name: str) -> Iterator[bytes]:
    """The file's text, a block at a time."""
    wall = table.window.start_ns + table.window.wall_offset_ns
    first_ns = wall - wall % BASE_STEP_NS
    devices = DeviceTrace(table)
    yield (f'{{\n"schemaVersion": 1,\n"deviceProperties": {dump(devices.properties())},\n'
           f'"trace_id": {dump(trace.trace_id)},\n'
           + "".join(f'"{option}": 1,\n' for option in OPTIONS if getattr(table.window, option))
           + (f'"dropped_events": {table.window.dropped},\n"overflow": {dump(table.window.overflow)},\n'
              if table.window.dropped else "")
           + f'"host_name": {dump(trace.host_name)},\n'
           + "".join(f"{dump(key)}: {raw},\n" for key, raw in trace.metadata.items())
           + f'"displayTimeUnit": "ms",\n"baseTimeNanoseconds": {first_ns},\n"traceEvents": [\n').encode()
    base_ns = first_ns - table.window.wall_offset_ns
    yield (",\n".join(_header(table, base_ns)) + ",\n").encode()
    yield from _events(table, trace, base_ns)
    yield from devices.pieces(base_ns)
    yield (",\n".join(_footer(table, base_ns)) + f'\n],\n"traceName": {dump(name)}\n}}\n').encode()


def _header(table: EventTable, base_ns: int) -> Iterator[str]:
    ts = us(table.window.start_ns - base_ns)

    def said(what: str, pid: int, tid: int, **args) -> str:
        return f'{{"ph": "M", "name": "{what}", "ts": {ts}, "pid": {pid}, "tid": {tid}, "args": {dump(args)}}}'

    for pid in dict.fromkeys([table.window.pid, *(table.pid_of(thread) for thread in table.threads)]):
        yield said("process_name", pid, 0, name=_process_name(table, pid))
        yield said("process_labels", pid, 0, labels="CPU")
        yield said("process_sort_index", pid, 0, sort_index=pid)
    for thread in table.threads:
        pid = table.pid_of(thread)
        yield said("thread_name", pid, thread.os_id, name=f"thread {thread.os_id} ({thread.name})")
        yield said("thread_sort_index", pid, thread.os_id, sort_index=thread.os_id)
    yield said("process_name", SPANS, 0, name="Spans")
    yield said("thread_name", SPANS, 0, name="PyTorch Profiler")


def _process_name(table: EventTable, pid: int) -> str:
    """torch's name for the process; a worker is called what its thread is called."""
    names = [thread.name for thread in table.threads if table.pid_of(thread) == pid]
    return next((name for name in names if name.startswith(WORKER) and pid != table.window.pid), "python")


def _footer(table: EventTable, base_ns: int) -> Iterator[str]:
    """torch ends every trace with these four. The processes and threads that it names here have numbers, since not
    every viewer knows others."""
    start, end = us(table.window.start_ns - base_ns), us(table.window.end_ns + ROUNDED_NS - base_ns)
    length = us(table.window.end_ns - table.window.start_ns)
    yield (f'{{"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": {SPANS}, "tid": 0, '
           f'"ts": {start}, "dur": {length}, "args": {{"Op count": 0}}}}')
    yield (f'{{"ph": "M", "name": "process_sort_index", "ts": {start}, "pid": {SPANS}, "tid": 0, '
           f'"args": {{"sort_index": {SPANS}}}}}')
    for name, at in (("Iteration Start: PyTorch Profiler", start), ("Record Window End", end)):
        yield f'{{"ph": "i", "s": "g", "name": "{name}", "pid": {SPANS}, "tid": 0, "ts": {at}}}'


def _events(table: EventTable, trace: Trace, base_ns: int) -> Iterator[bytes]:
    """Calls in order of their start, each with its arrow, then the memory changes; process by process."""
    calls = Calls(table, trace)
    for pid, first, stop in calls.processes:
        for begin in range(first, stop, BLOCK):
            columns = calls.columns(begin, min(begin + BLOCK, stop))
            yield trace_text.calls(pid, base_ns, calls.names, calls.said, calls.stacks, trace.arrows, columns)
    if trace.categories is None or "cpu_instant_event" in trace.categories:
        yield from _changes(table, base_ns)


def _changes(table: EventTable, base_ns: int) -> Iterator[bytes]:
    """The memory changes in order of time."""
    os_id, memory = _os_ids(table), table.memory
    order, processes = _by_process(table, memory["thread"])
    for pid, first, stop in processes:
        for begin in range(first, stop, BLOCK):
            end = min(begin + BLOCK, stop)
            here = slice(begin, end) if order is None else order[begin:end]
            cells = [memory[name][here] for name in ("time_ns", "address", "change", "total")]
            number = len(table) + (np.arange(begin, end) if order is None else here)
            yield trace_text.changes(pid, base_ns, _as_cells(os_id[memory["thread"][here]], *cells, number))


def _by_process(table: EventTable, threads: np.ndarray) -> tuple[np.ndarray | None, list[tuple[int, int, int]]]:
    """An order in which things of one process stand together (None: they do), and (process, first, stop) of each."""
    pids = {table.pid_of(thread) for thread in table.threads}
    if len(pids) < 2:
        return None, [(*pids, table.window.pid)[:1] + (0, len(threads))]
    pid = OfThreads({thread.index: table.pid_of(thread) for thread in table.threads})[threads]
    order = np.argsort(pid, kind="stable")
    present, first = np.unique(pid[order], return_index=True)
    return order, list(zip(present.tolist(), first.tolist(), [*first[1:].tolist(), len(threads)]))


class OfThreads:
    """Something of every thread, by our numbers of threads, which may lie far apart; 0 for one that is not known."""

    def __init__(self, of_thread: dict[int, int]):
        self._indices = np.array(sorted(of_thread), np.int64)
        self._values = np.array([of_thread[index] for index in self._indices.tolist()] + [0], np.int64)

    def __getitem__(self, threads: np.ndarray) -> np.ndarray:
        at = np.searchsorted(self._indices, threads)
        return self._values[np.where(np.append(self._indices, -1)[at] == threads, at, -1)]


def _os_ids(table: EventTable) -> OfThreads:
    """The operating system's number of every thread."""
    return OfThreads({thread.index: thread.os_id for thread in table.threads})


def _as_cells(*arrays: np.ndarray) -> tuple[memoryview, ...]:
    return tuple(memoryview(np.ascontiguousarray(array, np.int64)) for array in arrays)


class Calls:
    """The calls of a trace: which rows, in which order, and the words and columns they are written from."""

    def __init__(self, table: EventTable, trace: Trace):
        self._table, categories = table, trace.categories
        start_ns, scope = table["start_ns"], table["scope"]
        in_order = (start_ns[1:] >= start_ns[:-1]).all()
        order = np.arange(len(table)) if in_order else np.argsort(start_ns, kind="stable")
        self._kind = np.where(scope >= PYTHON_SCOPE, trace_text.PYTHON, scope == USER_SCOPE)
        if trace.for_tensorboard:
            loads = np.array([name.startswith(LOADING) for name, _ in table.names] or [False])
            self._kind[loads[table["name"]]] = trace_text.OP
        wanted = [categories is None or word in categories for word in trace_text.CATEGORIES]
        self._number = np.arange(len(table)) if all(wanted) else np.flatnonzero(np.array(wanted)[self._kind[order]])
        self._rows = None if in_order and all(wanted) else order[self._number]  # None: just as they stand
        in_processes, self.processes = _by_process(
            table, table["thread"][self._number if self._rows is None else self._rows])
        if in_processes is not None:
            self._rows = (self._number if self._rows is None else self._rows)[in_processes]
            self._number = self._number[in_processes]
        self._arrows = flows(table)
        self._state = (table["flags"] & UNFINISHED) | (scope == 1) * trace_text.BACKWARD
        self._state |= tree.overlapping(table) * trace_text.OVERLAPPING
        self._os_id = _os_ids(table)
        used = np.bincount(table["name"], minlength=len(table.names)).tolist()
        self.names = [dump(name).encode() if count else b"" for (name, _), count in zip(table.names, used)]
        self._python = python_ids(table, order) if table.window.with_stack else None
        self._describe(trace.verbose)
        self._stack, self.stacks = _stacks(table)
        self._cpu_clocks = clocks_ns(table) if table.cpu_times.n_rows else None

    def _describe(self, verbose: bool) -> None:
        """What calls say of themselves: nothing, their inputs, or which module they call; each is put in words once."""
        self.said, table = [b""], self._table
        self._said = np.zeros(len(table), np.int64)
        if table.window.record_shapes:
            self._say(table["inputs"], table["inputs"] >= 0, lambda n: _inputs_text(table.inputs[n]))
        if table.window.with_stack:
            self._describe_python(verbose)

    def _describe_python(self, verbose: bool) -> None:
        """Which module a call is of and, if wanted, which thread made it."""
        table, none = self._table, len(self._table.names)
        modules = module_ids(table["scope"], table["name"])
        places = OfThreads({thread.index: place for place, thread in enumerate(table.threads)})
        module = np.where(table["scope"] == MODULE_CALL, table["name"], none)

        def text(key: int) -> str:
            thread, name = divmod(key, none + 1)
            return ((f', "Python thread": {thread}' if verbose else "")
                    + (f', "Python module id": {modules[name]}' if name in modules else ""))

        key = module + verbose * (none + 1) * places[table["thread"]]
        self._say(key, is_call(table["scope"]) if verbose else module < none, text)

    def _say(self, column: np.ndarray, rows: np.ndarray, text) -> None:
        said, values = column[rows], None
        if int(said.max(initial=0)) > SPARSE + len(column):  # too far apart for a place for each
            values, said = np.unique(said, return_inverse=True)
        place = np.zeros(int(said.max(initial=0)) + 1, np.int64)
        place[said] = 1
        used = np.flatnonzero(place)
        place[used] = len(self.said) + np.arange(len(used))
        self.said += [text(n).encode() for n in (used if values is None else values[used]).tolist()]
        self._said[rows] = place[said]

    def __len__(self) -> int:
        return len(self._number)

    def columns(self, begin: int, end: int) -> tuple[memoryview, ...]:
        """The cells of the calls from one up to another, as ``trace_text.CALLS`` names them."""
        table, none = self._table, np.zeros(end - begin, np.int64)
        numbers = np.arange(begin, end) if self._rows is None else self._rows[begin:end]
        rows = slice(begin, end) if self._rows is None else numbers
        python_id, python_parent = (none, none) if self._python is None else (ids[rows] for ids in self._python)
        unknown = none - 1
        clocks = (unknown, unknown) if self._cpu_clocks is None else (clock[rows] for clock in self._cpu_clocks)
        return _as_cells(numbers, self._kind[rows], table["name"][rows], self._os_id[table["thread"][rows]],
                         table["start_ns"][rows], table["end_ns"][rows], table["id"][rows], table["sequence"][rows],
                         table["forward_thread"][rows], self._said[rows],
                         none if self._stack is None else self._stack[rows], self._state[rows], self._arrows[rows],
                         python_id, python_parent, self._number[begin:end], table["record"][rows], *clocks)


def _stacks(table: EventTable) -> tuple[np.ndarray | None, list[bytes]]:
    """The number of every row's stack, and each stack as an argument of a call."""
    if not table.window.with_stack:
        return None, [b""]
    cells = VisibleEvents(table).cells
    texts = [b""]
    stacks = CallStacks(table, cells.stacks)
    for number in range(1, len(stacks)):
        text = "".join(frame + ";" for frame in stacks.frames(number))
        texts.append(f', "Call stack": {dump(text)}'.encode())
    return cells.stack, texts


def _inputs_text(described: tuple) -> str:
    shown = _keywords_shown(inputs.keywords(described)) | {
        "Concrete Inputs": inputs.concrete_text(described), "Input type": inputs.types(described),
        "Input Strides": inputs.structured(described, 2), "Input Dims": inputs.structured(described)}
    return ", " + dump(shown)[1:-1]


def _keywords_shown(given: dict) -> dict:
    """Keyword inputs as torch's traces show them; those that it leaves out or spoils are together in one more."""
    shown = {key: "None" if isinstance(value, str) and '"' in value else value for key, value in given.items()
             if _is_shown(key, value)}
    others = {key: value for key, value in given.items() if shown.get(key) is not value}
    return shown | {OTHER_KEYWORDS: others} if others else shown


def _is_shown(key: str, value) -> bool:
    if key == "stream":  # of a device, always a number
        return isinstance(value, int)
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, str) for item in value)
    return isinstance(value, (int, float, str))


# What a row of averages, or an event, says about itself in a trace; the others where averages are grouped by them.
ROW_ARGS = ("count", "cpu_time_total", "self_cpu_time_total", "cpu_memory_usage", "self_cpu_memory_usage", "flops")
DEVICE_ARGS = ("device_time_total", "self_device_time_total", "device_memory_usage", "self_device_memory_usage")
GROUPED_ARGS = ("stack", "overload_name")
DIGITS_OF_US = 3


def _place(row) -> dict:
    """The category and track of an event or average; what ran on a device has a track for each stream."""
    if row.device_type is DeviceType.CPU:
        return {"cat": "user_annotation" if row.is_user_annotation else "cpu_op", "pid": "CPU functions",
                "tid": getattr(row, "thread", 0)}
    return {"cat": getattr(row, "activity_type", "kernel"), "pid": f"{str(row.use_device).upper()} functions",
            "tid": getattr(row, "device_resource_id", 0)}


def export_rows(rows, path, are_averages: bool = False) -> None:
    """Write any list of events or averages as a trace; averages, which have no place in time, stand in a line.

    torch writes events as a bare list; averages, of which it can write none, stand in the ``traceEvents`` of an object.
    """
    are_averages = are_averages or (len(rows) > 0 and not hasattr(rows[0], "time_range"))
    grouped_by = ("input_shapes", *GROUPED_ARGS) if are_averages else ("input_shapes",)
    with writing(path) as out:
        out.write(b'{"traceEvents": [\n' if are_averages else b"[\n")
        at = 0.0
        for number, row in enumerate(rows):
            start = row.time_range.start if hasattr(row, "time_range") else at
            lasted = row.cpu_time_total if row.device_type is DeviceType.CPU else row.device_time_total
            at = round(start + lasted, DIGITS_OF_US)  # sums of ns: else rows overlap by what is rounded
            event = {"name": row.key, **_place(row), "ph": "X", "ts": start, "dur": lasted,
                     "args": {name: getattr(row, name) for name in (*ROW_ARGS, *DEVICE_ARGS * bool(row.use_device))}}
            event["args"] |= {name: getattr(row, name) for name in grouped_by if getattr(row, name)}
            out.write((",\n" if number else "").encode() + dump(event).encode())
        out.write(b"\n]}\n" if are_averages else b"\n]\n")
