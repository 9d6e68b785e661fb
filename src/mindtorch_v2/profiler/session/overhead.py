"""What recording costs: what there is of each kind in a recording, and what each costs, measured when somebody asks."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from ...core.mode_stack import TorchDispatchMode, TorchFunctionMode, set_aside
from ...core.tensor import Tensor
from ...dispatch.aten import aten
from ...record import clock, rows
from ...record.interrupts import uninterrupted
from ...record.layout import C_CALL, CALLS, INPUTS, MODULE_CALL, OF_MEMORY, PYTHON_CALL, STACKS, TENSORS
from ...record.locks import new_lock
from ...record.recorder import Recording, Window
from ..results.overhead import Overhead  # noqa: F401 - what is told of it

TURNS, ROUNDS = 8, 40  # short rounds: of these, a few are left alone by everything else on the machine
BLOCK = 1 << 16  # rows that are counted at a time
LEAST_NS = 10.0  # two readings of the clock, of which the most is hidden behind the program's own work
FLOORS_NS = {"inputs": 0.0, "memory": LEAST_NS / 2, "tensors": 0.0}
# What is measured. Its file is nobody's, so that its calls are recorded.
PROGRAMS = """
def single_ops(x, hidden):
    for _ in range(10 * TURNS):
        x + x

def nested_ops(x, hidden):
    for _ in range(TURNS):
        y = linear(x, x, x[0]).softmax(0).t()
        y = stack((y, y * 2.0)).mean(0).reshape(2, 8).clamp(0.0, 1.0)
        y = y.sum(0, keepdim=True).transpose(0, 1).contiguous().div(3.0).expand(8, 4).add(1)

def interpreter(x, hidden):
    total, before = 0, []
    for i in range(40 * TURNS):
        row = {"name": f"{i:>6}", "values": [i, i + 1]}
        if row["values"][1:] != before:
            total += row["values"][0]
    return total

def empty():
    pass

def visible_calls(x, hidden):
    for _ in range(40 * TURNS):
        empty(); empty(); empty(); isinstance(x, int)

def hidden_calls(x, hidden):
    for _ in range(40 * TURNS):
        hidden(); hidden(); hidden(); hidden()
"""
_known: dict[str, float] = {}  # prices, by the fields of Costs
_measuring = new_lock()


class Costs(NamedTuple):
    """What there is of each kind, or what one costs in nanoseconds."""

    outer: float = 0.0  # rows of calls of which none is part of an op
    nested: float = 0.0  # rows of what ops are made of, which is also done at greater length while somebody looks
    inputs: float = 0.0  # values that were described
    memory: float = 0.0
    tensors: float = 0.0
    visible: float = 0.0  # Python's calls that are rows
    hidden: float = 0.0  # and those that are not shown
    python_ns: float = 0.0  # time in Python functions themselves; of this a part, as the interpreter is slower traced

    def times(self, prices: Costs) -> float:
        return sum(n * price for n, price in zip(self, prices))


def counted(recording: Recording) -> Costs:
    """What there is in a recording."""
    totals = np.zeros(len(Costs._fields))
    in_c_ns = 0.0
    for thread in recording.threads:
        totals += Costs(memory=len(thread.memory), tensors=len(thread.tensors))
        scopes = np.empty(len(thread.rows), np.uint8)  # of parents, wherever they stand
        for begin in range(0, len(scopes), BLOCK):
            block = thread.rows[begin:begin + BLOCK]
            totals += _of_block(block, begin, scopes)._replace(inputs=_n_described(block["inputs"], recording))
            in_c_ns += float((block["end_ns"] - block["start_ns"])[block["scope"] == C_CALL].sum())
    counts = Costs(*totals.tolist())
    outside_c_ns = recording.end_ns - recording.start_ns - in_c_ns
    if recording.cpu_ns is not None and 0 < recording.cpu_ns < outside_c_ns:  # the rest was waited for a processor
        counts = counts._replace(python_ns=counts.python_ns * recording.cpu_ns / outside_c_ns)
    return counts._replace(hidden=recording.hidden_calls)


def _of_block(block: np.ndarray, begin: int, scopes: np.ndarray) -> Costs:
    scope, back = block["scope"], block["back"].astype(np.int64)
    scopes[begin:begin + len(block)] = scope
    parent = np.arange(begin, begin + len(block)) - back
    around = np.where((back > 0) & (parent >= 0), scopes[np.maximum(parent, 0)], C_CALL)
    is_call, is_op = (scope >= PYTHON_CALL) & (scope <= MODULE_CALL), scope < PYTHON_CALL
    is_nested = is_op & (around < PYTHON_CALL)
    lasted_ns = (block["end_ns"] - block["start_ns"]).astype(np.float64)
    python_ns = lasted_ns[scope == PYTHON_CALL].sum() - lasted_ns[around == PYTHON_CALL].sum()
    return Costs(int((is_op & ~is_nested).sum()), int(is_nested.sum()), visible=int(is_call.sum()),
                 python_ns=float(python_ns))


def _n_described(inputs: np.ndarray, recording: Recording) -> int:
    """How many values calls were given, as far as they were described."""
    numbers, times = np.unique(inputs[inputs >= 0], return_counts=True)
    return sum(len(recording.inputs[number]) * n for number, n in zip(numbers.tolist(), times.tolist()))


@uninterrupted
def calibrate(wants: int) -> None:
    """Measure, once each, what these wishes cost; not by another clock, nor while others listen, who would hear it.
    Modes of the program are not asked about it."""
    if rows.is_listening() or clock.is_fake():
        return
    with _measuring, set_aside(TorchFunctionMode, every=True), set_aside(TorchDispatchMode, every=True):
        _calibrate(wants)


def _calibrate(wants: int) -> None:
    if "nested" not in _known:
        added_ns, counts = _added("single_ops", 0, CALLS)
        outer_ns = max(LEAST_NS, added_ns / counts.outer)
        added_ns, counts = _added("nested_ops", 0, CALLS)
        nested_ns = (added_ns - outer_ns * counts.outer) / counts.nested
        _known.update(outer=outer_ns, nested=max(LEAST_NS, nested_ns))
    for field, before, want in (("inputs", CALLS, INPUTS), ("memory", CALLS, OF_MEMORY),
                                ("tensors", CALLS | INPUTS, TENSORS)):
        if wants & want and field not in _known:
            added_ns, counts = _added("nested_ops", before, before | want)
            _known[field] = max(FLOORS_NS[field], added_ns / getattr(counts, field))
    if wants & STACKS and "hidden" not in _known:
        _calibrate_stacks()


def _calibrate_stacks() -> None:
    """How much slower the interpreter is while it is traced, and what calls of Python's cost beside that."""
    added_ns, _ = _added("interpreter", CALLS, CALLS | STACKS)
    slower = max(0.0, added_ns / _least_ns("interpreter"))
    prices = {"python_ns": slower / (1.0 + slower)}
    for field in ("visible", "hidden"):
        added_ns, counts = _added(field + "_calls", CALLS, CALLS | STACKS)
        prices[field] = max(LEAST_NS, (added_ns - slower * _least_ns(field + "_calls")) / getattr(counts, field))
    _known.update(prices)


def cost_ns(recording: Recording, wants: int) -> float:
    """What a recording cost; where nothing could be measured, the least it can have cost."""
    calibrate(wants)
    counts = counted(recording)
    if not wants & STACKS:  # calls that another profile had traced
        counts = counts._replace(visible=0.0, hidden=0.0, python_ns=0.0)
    prices = Costs(**_known) if _known else Costs(LEAST_NS, LEAST_NS, visible=LEAST_NS)
    traced_ns = counts.visible * prices.visible + counts.hidden * prices.hidden  # is part of the time in functions
    total_ns = counts._replace(python_ns=max(0.0, counts.python_ns - traced_ns)).times(prices)
    kept = counts.outer + counts.nested + counts.visible
    return total_ns * (kept + recording.dropped) / kept if kept else total_ns


def _added(program: str, before: int, wants: int) -> tuple[float, Costs]:
    """How much longer a program takes with some wishes than with others, and what is recorded of it then."""
    shorter, longer = [], []
    for _ in range(ROUNDS):
        shorter.append(_recorded(program, before)[0])
        time_ns, recording = _recorded(program, wants)
        longer.append(time_ns)
    return min(longer) - min(shorter), counted(recording)


def _recorded(program: str, wants: int) -> tuple[int, Recording | None]:
    """How long a program takes while somebody listens, and what is recorded; nobody does without a wish."""
    if not wants:
        return _time_ns(program), None
    window = Window(wants)
    try:
        window.open()
        time_ns = _time_ns(program)
    finally:
        recording = window.close()
    return time_ns, recording


def _least_ns(program: str) -> int:
    return min(_time_ns(program) for _ in range(ROUNDS))


def _hidden() -> None:
    """A function that profiles do not show: it is called all the same."""


def _time_ns(program: str) -> int:
    run, x = _programs()[program], _value()
    aten.add(x, x)  # the first rows of a recording wait for memory, all others do not
    start_ns = time.thread_time_ns()
    run(x, _hidden)
    return time.thread_time_ns() - start_ns


@cache
def _programs() -> dict[str, Callable]:
    program: dict[str, object] = {"TURNS": TURNS, "linear": aten.linear, "stack": aten.stack}
    exec(compile(PROGRAMS, "calibration.py", "exec"), program)
    return program


@cache
def _value() -> Tensor:
    return aten.ones([4, 4])
