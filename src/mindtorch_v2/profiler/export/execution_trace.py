"""Execution traces: every call as a node with its inputs, outputs and parent, in PyTorch's schema."""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ..views.inputs import CPP_TYPES
from .files import writing
from .json_text import dump

SCHEMA = "1.1.1-chakra.0.0.4"
PROCESS, THREAD = "[pytorch|profiler|execution_trace|process]", "[pytorch|profiler|execution_trace|thread]"
PROCESS_ID = 1
# Attributes of a node: name and type, in torch's order.
ATTRIBUTES = (("rf_id", "uint64"), ("fw_parent", "uint64"), ("seq_id", "int64"), ("scope", "uint64"), ("tid", "uint64"),
              ("fw_tid", "uint64"), ("op_schema", "string"), ("kernel_backend", "string"), ("kernel_file", "string"),
              ("tensor_range", "string"))
SHOWN_ATTRIBUTES = ",".join(f'{{"name": "{name}", "type": "{kind}", "value": %s}}' for name, kind in ATTRIBUTES)
NOTHING = '{"values": [], "shapes": [], "types": [], "strides": []}'
USER_SCOPE, BACKWARD_SCOPE = 7, 1
SEQUENCES = {list: "GenericList", tuple: "Tuple"}

_text = lru_cache(maxsize=1 << 12)(dump)  # names and schemas come again and again


class Call(NamedTuple):
    """One call that was observed; ``parent`` is the handle of the call it was made from."""

    handle: int
    parent: int | None
    thread: int
    start_ns: int
    end_ns: int
    name: str
    record_id: int
    sequence: int
    scope: int
    forward_thread: int
    schema: str
    given: tuple
    returned: tuple


class Trace(NamedTuple):
    """All that one file holds."""

    pid: int
    time: float
    start_ns: int
    end_ns: int
    calls: list[Call]


def write(trace: Trace, path) -> None:
    """Write a trace to a path; ``.gz`` compresses."""
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(trace.time))
    with writing(path) as out:
        out.write(f'{{\n  "schema": "{SCHEMA}", "pid": {trace.pid}, "time": "{when}", '
                  f'"start_ts": {trace.start_ns // 10**6},\n  "nodes": ['.encode())
        for number, node in enumerate(nodes(trace.calls)):
            out.write(("," if number else "").encode() + node.encode())
        out.write(f'\n  ],\n  "finish_ts": {trace.end_ns // 10**6}\n}}\n'.encode())


def nodes(calls: list[Call]) -> Iterator[str]:
    """Every call when it ends, behind its thread; the process comes last."""
    ids = Ids()
    threads: dict[int, int] = {}
    open_calls: dict[int, tuple[int, str]] = {}  # handle to node and inputs
    for call, begins in _moments(calls):
        if begins:
            if call.thread not in threads:
                threads[call.thread] = ids.new()
                yield node(threads[call.thread], THREAD, PROCESS_ID, attrs=(0, 0, -1, USER_SCOPE, call.thread, 0))
            open_calls[call.handle] = ids.new(), ids.values(call.given)
            continue
        number, given = open_calls[call.handle]
        parent = open_calls[call.parent][0] if call.parent in open_calls else threads[call.thread]
        forward = parent if call.scope == BACKWARD_SCOPE else 0
        attrs = (call.record_id, forward, call.sequence, call.scope, call.thread, call.forward_thread, call.schema)
        yield node(number, call.name, parent, given, ids.values(call.returned), attrs)
    yield node(PROCESS_ID, PROCESS, PROCESS_ID, attrs=(0, 0, -1, USER_SCOPE, 0, 0))


def _moments(calls: list[Call]) -> Iterator[tuple[Call, bool]]:
    """Beginnings (True) and ends of all calls in the order of time; on one thread, in the order of the tree."""
    threads: dict[int, list[Call]] = {}
    for call in calls:
        threads.setdefault(call.thread, []).append(call)
    for _, call, begins in heapq.merge(*map(_of_thread, threads.values()), key=lambda moment: moment[0]):
        yield call, begins


def _of_thread(calls: list[Call]) -> Iterator[tuple[int, Call, bool]]:
    still_open: list[Call] = []
    for call in calls:
        while still_open and still_open[-1].handle != call.parent:
            ended = still_open.pop()
            yield ended.end_ns, ended, False
        yield call.start_ns, call, True
        still_open.append(call)
    for ended in reversed(still_open):
        yield ended.end_ns, ended, False


class Ids:
    """Numbers for nodes, tensors and storages, one after the other as they are first seen."""

    def __init__(self):
        self._last = PROCESS_ID
        self._known: dict[tuple[str, int], int] = {}

    def new(self) -> int:
        self._last += 1
        return self._last

    def of(self, kind: str, key: int) -> int:
        """The number of a tensor or a storage."""
        number = self._known.get((kind, key))
        if number is None:
            number = self._known[kind, key] = self.new()
        return number

    def values(self, values: tuple) -> str:
        """Inputs or outputs of a node: values, shapes, types and strides side by side."""
        parts = [self._value(v) for v in values]
        columns = {name: [part[i] for part in parts] for i, name in enumerate(("values", "shapes", "types", "strides"))}
        return dump(columns)

    def _value(self, value) -> tuple:
        """One value, its shape, its type, its strides."""
        if hasattr(value, "storage"):
            shown = [self.of("tensor", value.tensor), self.of("storage", value.storage), value.offset, value.numel,
                     value.itemsize, value.device]
            return shown, list(value.shape), f"Tensor({CPP_TYPES.get(value.dtype, value.dtype)})", list(value.strides)
        if type(value) in SEQUENCES:
            kind = SEQUENCES[type(value)]
            shown, shapes, types, strides = zip(*map(self._value, value)) if value else ((), (), (), ())
            return list(shown), list(shapes), f"{kind}[{','.join(types)}]", list(strides)
        return *_plain(value), []


def _plain(value) -> tuple:
    """A value without shape: as JSON shows it, its shape, its type."""
    if value is None:
        return "<None>", [], "None"
    if isinstance(value, bool):
        return value, [], "Bool"
    if isinstance(value, int):
        return value, [], "Int"
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value), [], "Double"
    if isinstance(value, str):
        return value, [], "String"
    return value.text, [], value.kind


def node(number: int, name: str, parent: int, given: str = "", returned: str = "", attrs: tuple = ()) -> str:
    """A node as text."""
    values = attrs + ("",) * (len(ATTRIBUTES) - len(attrs))
    shown = SHOWN_ATTRIBUTES % tuple(v if isinstance(v, int) else _text(v) for v in values)
    return (f'\n      {{\n        "id": {number}, "name": {_text(name)}, "ctrl_deps": {parent},\n'
            f'        "inputs": {given or NOTHING},\n        "outputs": {returned or NOTHING},\n'
            f'        "attrs": [{shown}]\n      }}')
