"""What an execution trace is written from: all calls while it was observed, with what went in and came out."""

from __future__ import annotations

import os
import time

import numpy as np

from ...opdef.operator import Operator
from ...opdef.table import OPS
from ...record import executed, rows
from ...record.interrupts import uninterrupted
from ...record.layout import BACKWARD_SCOPE, CALLS, EXECUTED, INPUTS, NUMBER_BITS, PYTHON_CALL
from ...record.locks import new_lock
from ...record.recorder import Recording, ThreadRows, Window
from ..export.execution_trace import Call, Trace
from ..views.tree import open_parents

_observed: list[Stretch] = []  # first to last
FOREVER = np.iinfo(np.int64).max
_lock = new_lock()


class Stretch:
    """When calls were observed: from the opening of a window until it listens no more, for whatever reason."""

    def __init__(self, window: Window):
        self.start_ns, self.end_ns = window.start_ns, FOREVER
        window.when_left = self.end

    def end(self) -> None:
        self.end_ns = min(self.end_ns, rows.now_ns())


class ExecutionRecording:
    """The stretches in which one observer looked."""

    def __init__(self):
        self._window: Window | None = None
        self._calls: list[Call] = []
        self._start_ns = time.monotonic_ns()
        self._time = time.time()

    @uninterrupted
    def open(self) -> None:
        """Look from now on."""
        with _lock:
            window = self._window = Window(CALLS | INPUTS | EXECUTED)
            try:
                window.open()
                _observed.append(Stretch(window))
            except BaseException:
                window.abandon()
                self._window = None
                raise

    @uninterrupted
    def close(self) -> None:
        """Look no more; what was seen is kept here, and forgotten elsewhere when nobody else looks."""
        with _lock:
            if self._window is None:
                return
            recording = self._window.close()
            self._window = None
            for thread in recording.threads:
                self._calls += _calls(recording, thread)
            if all(stretch.end_ns < FOREVER for stretch in _observed):
                executed.forget()

    def trace(self) -> Trace:
        """Everything seen so far."""
        return Trace(os.getpid(), self._time, self._start_ns, time.monotonic_ns(), self._calls)


def record_ids(index: int, first: int, calls: np.ndarray) -> np.ndarray:
    """torch's numbers of a thread's calls: real while somebody observes, else 0."""
    start = calls["start_ns"]
    if not _observed:
        return np.zeros(len(start), np.int64)
    stretches = sorted((stretch.start_ns, stretch.end_ns) for stretch in _observed)
    begins, ends = np.array(stretches).T
    before = np.searchsorted(begins, start, side="right")  # how many stretches had begun
    seen = np.append(np.maximum.accumulate(ends), -1)[before - 1] >= start
    return np.where(seen & (calls["scope"] < PYTHON_CALL), _handles(index, first, len(calls)) - (1 << NUMBER_BITS) + 1,
                    0)


def _handles(index: int, first: int, n: int) -> np.ndarray:
    return (index << NUMBER_BITS) + first + np.arange(n)


def _calls(recording: Recording, thread: ThreadRows) -> list[Call]:
    """A thread's rows with what is known of each; Python's own calls are another profile's wish."""
    ours = thread.rows["scope"] < PYTHON_CALL
    parents = open_parents(thread.parents(), ours, thread.rows["start_ns"], thread.rows["end_ns"]).tolist()
    handles = _handles(thread.index, thread.first, len(thread.rows)).tolist()
    ids = record_ids(thread.index, thread.first, thread.rows).tolist()
    known: dict[int, Operator | None] = {}
    calls = []
    for i in np.flatnonzero(ours).tolist():
        handle = handles[i]
        start_ns, end_ns, sequence, number, _, described, forward_thread, scope, _ = thread.rows[i].item()
        name = recording.names[number][0]
        if number not in known:
            known[number] = _op(name, number)
        op = known[number]
        given = executed.given.get(handle)
        if given is None:
            given = _of_range(recording.inputs[described]) if described >= 0 else ()
        elif op is not None:
            given = _with_device(op, given)
        schema = "" if op is None else f"aten::{op.schema.sentence}".replace("=contiguous_format", "=0")
        returned = () if op is None else executed.returned.get(handle, ())
        if returned and op.schema.sentence.endswith("[]") and not isinstance(returned[0], list):
            returned = (list(returned),)  # a list of tensors that Python sees as a tuple
        parent = handles[parents[i]] if parents[i] >= 0 else None
        if name.startswith("autograd::engine::evaluate_function"):
            sequence, forward_thread = -1, 0  # the engine's own has none in torch's execution traces
        elif scope == BACKWARD_SCOPE:
            forward_thread = forward_thread or thread.index
        calls.append(Call(handle, parent, thread.index, start_ns, end_ns, name, ids[i], sequence, scope, forward_thread,
                         schema, given, returned))
    return calls


def _with_device(op: Operator, given: tuple) -> tuple:
    """torch says where a new tensor goes whenever it says everything about it, or has no other to go by."""
    device, layout = op.index.get("device"), op.index.get("layout")
    if device is None or given[device] is not None or op.has_tensors and (layout is None or given[layout] is None):
        return given
    return (*given[:device], executed.Named("Device", "cpu"), *given[device + 1:])


def _of_range(described: tuple) -> tuple:
    """The text that a user's range was given."""
    return tuple(value[1] for value in described if isinstance(value, tuple) and value[0] == "str")


def _op(name: str, number: int) -> Operator | None:
    """The op of torch's that a row's name, known by its number too, stands for."""
    overloads = OPS.get(name.removeprefix("aten::"), ())
    return next((op for op in overloads if op.name_id == number and op.event == name), None)
