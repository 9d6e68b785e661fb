"""Tables made by hand: every time and byte is what the test says."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mindtorch_v2.profiler.table import columns
from mindtorch_v2.profiler.table.event_table import EventTable, Thread, Window
from mindtorch_v2.profiler.views.digest import Digest

OP, BACKWARD, RANGE, PYTHON = 0, 1, 7, 32
FLOAT = "float32"


class Row(NamedTuple):
    """One event; its parent is the innermost row before it on its thread that holds it."""

    name: str
    start_ns: int
    end_ns: int
    scope: int = OP
    sequence: int = -1
    forward_thread: int = 0
    inputs: tuple | None = None
    thread: int = 1
    flops: int = 0


def tensor(*shape: int, dtype: str = FLOAT) -> tuple:
    """A tensor among a row's inputs."""
    return shape, dtype, (1,) * len(shape)


def made(rows: list[Row], memory: list[tuple] = (), modules: list[tuple] = (), threads: dict | None = None,
         end_ns: int | None = None, **window) -> EventTable:
    """A table of these rows, given by start; memory is (time, address, change, row), modules are (start, end, word),
    with spaces between the fields of a word."""
    modules = [(start_ns, end, word.replace(" ", "\x1f")) for start_ns, end, word in modules]
    rows = sorted(rows, key=lambda row: row.thread)
    names = [(name, "") for name in dict.fromkeys([row.name for row in rows] + [module[2] for module in modules])]
    inputs = list(dict.fromkeys(row.inputs for row in rows if row.inputs is not None))
    events = columns.blank(columns.EVENTS, len(rows))
    for place, row in enumerate(rows):
        described = -1 if row.inputs is None else inputs.index(row.inputs)
        values = {"id": place + 1, "start_ns": row.start_ns, "end_ns": row.end_ns, "sequence": row.sequence,
                  "name": names.index((row.name, "")), "parent": _parent(rows, place), "inputs": described,
                  "thread": row.thread, "forward_thread": row.forward_thread, "scope": row.scope, "flops": row.flops}
        for column, value in values.items():
            events[column][place] = value
    threads = threads or {number: f"thread {number}" for number in {row.thread for row in rows}}
    last_ns = max([row.end_ns for row in rows], default=0) if end_ns is None else end_ns
    return EventTable(events, _memory(memory), names, inputs,
                      tuple(Thread(number, 100 + number, name) for number, name in sorted(threads.items())),
                      Window(0, last_ns, pid=7, **window), module_ranges=_modules(modules, names))


def digest(rows: list[Row], **options) -> Digest:
    return Digest(made(rows, **options))


def _parent(rows: list[Row], place: int) -> int:
    row = rows[place]
    around = [at for at, other in enumerate(rows[:place]) if other.thread == row.thread
              and other.start_ns <= row.start_ns and other.end_ns >= row.end_ns]
    return around[-1] if around else -1


def _memory(changes: list[tuple]) -> dict[str, np.ndarray]:
    memory = columns.blank(columns.MEMORY, len(changes))
    for place, (time_ns, address, change, row) in enumerate(changes):
        values = {"time_ns": time_ns, "address": address, "change": change, "event": row, "thread": 1, "seen": 1}
        for column, value in values.items():
            memory[column][place] = value
    memory["total"] = np.cumsum(memory["change"])
    return memory


def _modules(modules: list[tuple], names: list) -> dict[str, np.ndarray]:
    ranges = columns.blank(columns.MODULE_RANGES, len(modules))
    for place, (start_ns, end_ns, word) in enumerate(modules):
        ranges["start_ns"][place], ranges["end_ns"][place] = start_ns, end_ns
        ranges["name"][place], ranges["thread"][place] = names.index((word, "")), 1
    return ranges


def training_step(begin_ns: int = 0, name: str = "ProfilerStep#3") -> list[Row]:
    """A step of 1000 ns: 100 waiting for data, 10 nothing, 290 forward, 300 backward, 200 optimizer, 100 nothing."""
    def at(name, start, end, *rest, **more):
        return Row(name, begin_ns + start, begin_ns + end, *rest, **more)

    sequence = begin_ns  # each step has its own
    return [at(name, 0, 1000, RANGE),
            at("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 0, 100, RANGE),
            at("aten::stack", 20, 80),
            at("aten::linear", 110, 200), at("aten::addmm", 120, 190, sequence=sequence),
            at("aten::relu", 210, 300, sequence=sequence + 1),
            at("aten::sum", 390, 400, sequence=sequence + 2),
            at("autograd::engine::evaluate_function: SumBackward0", 400, 402, OP, sequence + 2, 1),
            at("autograd::engine::evaluate_function: ReluBackward0", 402, 500, OP, sequence + 1, 1),
            at("ReluBackward0", 410, 490, BACKWARD, sequence + 1, 1),
            at("autograd::engine::evaluate_function: AddmmBackward0", 520, 620, OP, sequence, 1),
            at("AddmmBackward0", 530, 610, BACKWARD, sequence, 1),
            at("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", 660, 700),
            at("Optimizer.step#SGD.step", 700, 880, RANGE), at("aten::add_", 710, 800),
            at("Optimizer.zero_grad#SGD.zero_grad", 880, 900, RANGE)]
