"""Chrome traces: one JSON object, its events in torch's shape, strictly nested and exact to the nanosecond."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..table.columns import UNFINISHED, USER_SCOPE
from ..table.event_table import EventTable
from ..views import inputs, tree
from ..views.shown import flows
from .files import writing
from .json_text import dump

# torch counts from a round moment, so that times keep their digits; a quarter of a year is 2**53 ns.
BASE_STEP_NS = 7776000 * 10**9
SPANS_SORT_INDEX = 536870912
OF_CALL = ("inputs", "sequence", "forward_thread", "flags", "scope", "record")
OPTIONS = ("with_stack", "profile_memory", "record_shapes", "with_flops")


class Trace(NamedTuple):
    """Everything a trace file says beside its events."""

    trace_id: str
    host_name: str
    metadata: dict[str, str]  # key to raw JSON
    categories: frozenset[str] | None = None  # None: all


def export_table(table: EventTable, trace: Trace, path) -> None:
    """Write a profile as a trace."""
    with writing(path) as out:
        for piece in pieces(table, trace, name_of(path)):
            out.write(piece.encode())


def name_of(target) -> str:
    """What a trace calls itself: its path; nothing where it goes to a nameless file."""
    return str(getattr(target, "name", "")) if hasattr(target, "write") else os.fsdecode(target)


def pieces(table: EventTable, trace: Trace, name: str) -> Iterator[str]:
    """The file's text, a few lines at a time."""
    wall = table.window.start_ns + table.window.wall_offset_ns
    base_ns = wall - wall % BASE_STEP_NS
    yield '{\n"schemaVersion": 1,\n"deviceProperties": [],\n'
    yield f'"trace_id": {dump(trace.trace_id)},\n'
    yield from (f'"{option}": 1,\n' for option in OPTIONS if getattr(table.window, option))
    yield f'"host_name": {dump(trace.host_name)},\n'
    yield from (f"{dump(key)}: {raw},\n" for key, raw in trace.metadata.items())
    yield f'"displayTimeUnit": "ms",\n"baseTimeNanoseconds": {base_ns},\n"traceEvents": [\n'
    clock = Clock(base_ns - table.window.wall_offset_ns)
    yield ",\n".join(_header(table, clock)) + ",\n"
    for event in _events(table, trace, clock):
        yield event + ",\n"
    yield ",\n".join(_footer(table, clock))
    yield f'\n],\n"traceName": {dump(name)}\n}}\n'


class Clock(NamedTuple):
    """Turns the recorder's nanoseconds into a trace's microseconds."""

    base_ns: int

    def us(self, time_ns: int) -> str:
        return span_us(time_ns - self.base_ns)


def span_us(ns: int) -> str:
    """Microseconds with three decimals, written without going through a float."""
    sign = "-" if ns < 0 else ""
    return f"{sign}{abs(ns) // 1000}.{abs(ns) % 1000:03d}"


def _header(table: EventTable, clock: Clock) -> Iterator[str]:
    pid, ts = table.window.pid, clock.us(table.window.start_ns)

    def said(what: str, tid: int, **args) -> str:
        return f'{{"ph": "M", "name": "{what}", "ts": {ts}, "pid": {pid}, "tid": {tid}, "args": {dump(args)}}}'

    yield said("process_name", 0, name="python")
    yield said("process_labels", 0, labels="CPU")
    yield said("process_sort_index", 0, sort_index=pid)
    for thread in table.threads:
        yield said("thread_name", thread.os_id, name=f"thread {thread.os_id} ({thread.name})")
        yield said("thread_sort_index", thread.os_id, sort_index=thread.os_id)


def _footer(table: EventTable, clock: Clock) -> Iterator[str]:
    """torch ends every trace with these four."""
    start, end = clock.us(table.window.start_ns), clock.us(table.window.end_ns)
    length = span_us(table.window.end_ns - table.window.start_ns)
    yield (f'{{"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": "Spans", "tid": "PyTorch Profiler", '
           f'"ts": {start}, "dur": {length}, "args": {{"Op count": 0}}}}')
    yield (f'{{"ph": "M", "name": "process_sort_index", "ts": {start}, "pid": "Spans", "tid": 0, '
           f'"args": {{"sort_index": {SPANS_SORT_INDEX}}}}}')
    yield (f'{{"ph": "i", "s": "g", "name": "Iteration Start: PyTorch Profiler", "pid": "Traces", '
           f'"tid": "Trace PyTorch Profiler", "ts": {start}}}')
    yield f'{{"ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": {end}}}'


def _events(table: EventTable, trace: Trace, clock: Clock) -> Iterator[str]:
    """Calls in order of their start, each with its arrow, then the memory changes."""
    columns = {name: array.tolist() for name, array in table.events.items()}
    order = np.argsort(table["start_ns"], kind="stable").tolist()
    arrows = flows(table).tolist()
    outlived = tree.outlived(table["parent"], table["end_ns"]).tolist()
    os_id = {t.index: t.os_id for t in table.threads}
    pid = table.window.pid
    described = Described(table)
    names = [dump(name) for name, _ in table.names]
    for number, row in enumerate(order):
        category = "user_annotation" if columns["scope"][row] == USER_SCOPE else "cpu_op"
        if trace.categories is not None and category not in trace.categories:
            continue
        name, tid = names[columns["name"][row]], os_id[columns["thread"][row]]
        start_ns, end_ns = columns["start_ns"][row], columns["end_ns"][row]
        ts = clock.us(start_ns)
        args = described.args({c: columns[c][row] for c in OF_CALL}, columns["id"][row], number)
        common = f'"cat": "{category}", "name": {name}, "pid": {pid}, "tid": {tid}'
        if outlived[row]:
            # On the same track it would overlap without nesting, and viewers drop such slices: it gets its own track.
            yield f'{{"ph": "b", {common}, "id": {row + 1}, "ts": {ts}, "args": {args}}}'
            yield f'{{"ph": "e", {common}, "id": {row + 1}, "ts": {clock.us(end_ns)}}}'
        else:
            yield f'{{"ph": "X", {common}, "ts": {ts}, "dur": {span_us(end_ns - start_ns)}, "args": {args}}}'
        if arrows[row]:
            ends = '"ph": "f", "bp": "e"' if columns["scope"][row] == 1 else '"ph": "s"'
            yield (f'{{{ends}, "id": {arrows[row]}, "pid": {pid}, "tid": {tid}, "ts": {ts}, "cat": "fwdbwd", '
                   '"name": "fwdbwd"}')
    if trace.categories is None or "cpu_instant_event" in trace.categories:
        yield from _memory(table, clock, os_id, len(order))


def _memory(table: EventTable, clock: Clock, os_id: dict, number: int) -> Iterator[str]:
    cells = zip(*(table.memory[c].tolist() for c in ("time_ns", "address", "change", "total", "thread")))
    for i, (time_ns, address, change, total, thread) in enumerate(cells):
        args = {"Total Reserved": 0, "Total Allocated": total, "Bytes": change, "Device Id": -1, "Device Type": 0,
                "Addr": address, "Ev Idx": number + i}
        yield (f'{{"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": {table.window.pid}, '
               f'"tid": {os_id[thread]}, "ts": {clock.us(time_ns)}, "args": {dump(args)}}}')


class Described:
    """The args of a call as text; each distinct set of inputs is written once."""

    def __init__(self, table: EventTable):
        self._inputs = table.inputs
        self._shapes = table.window.record_shapes
        self._written: dict[int, str] = {}

    def args(self, cells: dict, external_id: int, number: int) -> str:
        text = f'"External id": {external_id}'
        if cells["sequence"] >= 0:
            text += f', "Sequence number": {cells["sequence"]}, "Fwd thread id": {cells["forward_thread"]}'
        text += f', "Record function id": {cells["record"]}'
        if cells["inputs"] >= 0 and self._shapes:
            text += self._of_inputs(cells["inputs"])
        if cells["flags"] & UNFINISHED:
            text += ', "finished": false'
        return f'{{{text}, "Ev Idx": {number}}}'

    def _of_inputs(self, number: int) -> str:
        found = self._written.get(number)
        if found is None:
            described = self._inputs[number]
            shown = inputs.keywords(described) | {
                "Concrete Inputs": inputs.concrete_text(described), "Input type": inputs.types(described),
                "Input Strides": inputs.structured(described, 2), "Input Dims": inputs.structured(described)}
            found = self._written[number] = ", " + dump(shown)[1:-1]
        return found


# What a row of averages, or an event, says about itself in a trace.
ROW_ARGS = ("count", "cpu_time_total", "self_cpu_time_total", "cpu_memory_usage", "self_cpu_memory_usage", "flops")


def export_rows(rows, path) -> None:
    """Write any list of events or averages as a trace; averages, which have no place in time, stand in a line."""
    with writing(path) as out:
        out.write(b"[\n")
        at, lines = 0.0, []
        for row in rows:
            start = row.time_range.start if hasattr(row, "time_range") else at
            at = start + row.cpu_time_total
            event = {"name": row.key, "cat": "user_annotation" if row.is_user_annotation else "cpu_op", "ph": "X",
                     "ts": start, "dur": row.cpu_time_total, "pid": "CPU functions", "tid": getattr(row, "thread", 0),
                     "args": {name: getattr(row, name) for name in ROW_ARGS}}
            if row.input_shapes:
                event["args"]["input_shapes"] = row.input_shapes
            lines.append(dump(event))
        out.write(",\n".join(lines).encode())
        out.write(b"\n]\n")


