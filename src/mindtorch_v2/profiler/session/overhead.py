"""What recording costs, measured when somebody asks on a program of small ops and functions."""

from __future__ import annotations

import mmap
import time
from collections.abc import Callable
from functools import cache

from ...core.tensor import Tensor
from ...dispatch.aten import aten
from ...record import clock, rows
from ...record.interrupts import uninterrupted
from ...record.layout import CALLS, INPUTS, OF_MEMORY, STACKS, TENSORS
from ...record.recorder import Window
from ..results.overhead import Overhead  # noqa: F401 - what is told of it

# What makes an event dearer; the rest is noted once in a while.
MEASURED = CALLS | INPUTS | OF_MEMORY | STACKS | TENSORS
TURNS, ROUNDS = 80, 8  # short rounds: of eight, one or two are left alone by everything else on the machine
# A turn of the program: three ops in as many functions, with builtins and a function that is hidden, as in training.
# Its file is nobody's, so that its calls are recorded.
PROGRAM = """
def double(x):
    return x + x if isinstance(x, Tensor) else None

def square(x):
    return double(x) * x if callable(double) else None

def turn(x):
    return square(hidden(x)).sum()
"""
NEW_BYTES, MEMORY_ROUNDS = 1 << 20, 3
POPULATE_WRITE = 23  # Linux's number; Python has no name for it
LEAST_NS = 20.0  # two readings of the clock
_known: dict[int, float] = {}


@uninterrupted
def calibrate(wants: int) -> None:
    """Measure once what these wishes cost; not while others listen, who would hear it, nor by another clock.

    Rows of so few ops fit into memory that is there already; those of a profile need new memory all the time.
    """
    wants &= MEASURED
    if wants in _known or rows.is_listening() or clock.is_fake():
        return
    value = aten.ones([4, 4])
    _time_ns(value)  # what only the first calls pay
    plain, recorded = [], []
    for _ in range(ROUNDS):
        plain.append(_time_ns(value))
        time_ns, n_bytes, n_events = _recorded(value, wants)
        recorded.append(time_ns)
    each_ns = (min(recorded) - min(plain) + n_bytes * _new_memory_ns_per_byte()) / n_events
    _known[wants] = max(LEAST_NS, each_ns)


def _hidden(value):
    """A function that profiles do not show: it is called all the same."""
    return value


@cache
def _turn() -> Callable:
    program: dict[str, object] = {"Tensor": Tensor, "hidden": _hidden}
    exec(compile(PROGRAM, "calibration.py", "exec"), program)
    return program["turn"]


def ns_per_event(wants: int) -> float:
    """What was measured; where nothing could be, the least it can be."""
    calibrate(wants)
    return _known.get(wants & MEASURED, LEAST_NS)


def _recorded(value, wants: int) -> tuple[int, int, int]:
    """How long the program takes while somebody listens, how many bytes are written about it, and how many events."""
    window = Window(wants)
    try:
        window.open()
        time_ns = _time_ns(value)
    finally:
        recording = window.close()
    threads = recording.threads
    n_bytes = sum(cells.nbytes for thread in threads for cells in (thread.rows, thread.memory, thread.tensors))
    return time_ns, n_bytes, sum(len(thread.rows) for thread in threads)


def _time_ns(value) -> int:
    turn = _turn()
    start_ns = time.thread_time_ns()
    for _ in range(TURNS):
        turn(value)
    return time.thread_time_ns() - start_ns


@cache
def _new_memory_ns_per_byte() -> float:
    """What it costs to get memory that nobody has used, as the recorder gets it."""
    times_ns = []
    for _ in range(MEMORY_ROUNDS):
        with mmap.mmap(-1, NEW_BYTES) as memory:
            start_ns = time.thread_time_ns()
            try:
                memory.madvise(POPULATE_WRITE)
            except (AttributeError, OSError):  # a system that brings memory in when it is written
                for page in range(0, NEW_BYTES, mmap.PAGESIZE):
                    memory[page] = 1
            times_ns.append(time.thread_time_ns() - start_ns)
    return min(times_ns) / NEW_BYTES
