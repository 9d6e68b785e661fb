"""What is measured: one line a case, in the order of the results. one.py measures a line, run.py all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import answers
import footprint
import ops
import overhead
import training

TORCH = "of PyTorch"      # the aim is a ratio to PyTorch in the same run
ITSELF = "in all"         # the aim is a bound on our own figure


class Case(NamedTuple):
    """A line: its name, what measures it, its unit, and its aim (none: for orientation)."""

    name: str
    measure: Callable[[object], float]
    unit: str
    aim: float | None = None
    against: str = TORCH
    middle: bool = False  # of several the middle one: the least of differences and ratios is only the luckiest
    ours_alone: bool = False  # PyTorch is not asked: it would take minutes, or the line compares us with ourselves


CASES = (
    Case("import", ops.importing, "ms", 0.25),
    Case("import, with nn, optim, profiler and utils.data", ops.importing_all, "ms", 0.25),
    Case("x + x, 4x4", ops.add, "ns", 0.60),
    Case("x + x, 4x4, requires_grad", ops.add_requires_grad, "ns", 0.60),
    Case("x + 1, 4x4", ops.add_number, "ns"),
    Case("linear, 16x32 to 24", ops.linear, "ns"),
    Case("added per op by recording", ops.added_plain, "ns", 0.20, TORCH, True),
    Case("added per op by recording, with shapes", ops.added_shapes, "ns", 0.20, TORCH, True),
    Case("added per op by recording, with memory", ops.added_memory, "ns", 0.20, TORCH, True),
    Case("added per op by recording, crash_safe", ops.added_crash_safe, "ns", None, ITSELF, True, True),
    Case("added per op by recording, spilled", ops.added_spilling, "ns", None, ITSELF, True, True),
    Case("overhead() of a loop of x + x, by what is measured (or the reverse)", overhead.of_adding, "x", 1.33, ITSELF,
         True, True),
    Case("overhead() of an MLP step, by what is measured (or the reverse)", overhead.of_mlp, "x", 1.33, ITSELF, True,
         True),
    Case("overhead() of a GPT step, by what is measured (or the reverse)", overhead.of_gpt, "x", 1.33, ITSELF, True,
         True),
    Case("overhead() of Python functions, by what is measured (or the reverse)", overhead.of_python, "x", 1.33, ITSELF,
         True, True),
    Case("added per op by with_stack, under two Python calls", ops.added_stack, "ns", 0.50, TORCH, True),
    Case("record_function, nobody records", ops.range_unheard, "ns", 0.05),
    Case("record_function while recording", ops.range_recorded, "ns", 0.15),
    Case("stop() after 100,000 ops", answers.stop, "us", 0.02),
    Case("stop() after 1,000,000 ops, times that after 100,000", answers.stop_growth, "x", 2.0, ITSELF, True, True),
    Case("first key_averages()", answers.averages, "ns/event", 0.01),
    Case("first key_averages(), by shape", answers.averages_by_shape, "ns/event", 0.01),
    Case("first key_averages(), by stack", answers.averages_by_stack, "ns/event", 0.01),
    Case("first key_averages() of 10 million, per event, times that of 100,000", answers.averages_growth, "x", 1.5,
         ITSELF, True, True),
    Case("first events() and its length", answers.events_made, "ns/event", 0.05),
    Case("events(): length and an index, of a million", answers.event_indexed, "ns"),
    Case("events(): length and an index, of a million, times that of 1,000", answers.event_indexed_growth, "x", 2.0,
         ITSELF, True, True),
    Case("first events(), iterated", answers.events_iterated, "ns/event", 0.05),
    Case("first key_averages().table(), a million events", answers.averages_table, "ns/event", 0.01),
    Case("events().table(), a million events", answers.events_table, "ns/event", 0.01),
    Case("export_stacks, a million events", answers.stacks, "ns/event", 0.01),
    Case("export_chrome_trace", answers.trace, "ns/event", 0.33),
    Case("export_chrome_trace, shapes and memory", answers.trace_full, "ns/event", 0.33),
    Case("export_chrome_trace, .gz", answers.trace_packed, "ns/event", 0.33),
    Case("first export_memory_timeline, of training", answers.memory_timeline, "ns/op", 0.05),
    Case("first export_memory_timeline of 10,000 steps, per op, times that of 1,000", answers.memory_timeline_growth,
         "x", 1.5, ITSELF, True, True),
    Case("memory that the first export_memory_timeline takes", footprint.memory_timeline, "bytes/op", 400, ITSELF),
    Case("memory until averages are in hand", footprint.plain, "bytes/event", 64, ITSELF),
    Case("memory until averages are in hand, shapes and memory", footprint.full, "bytes/event", 96, ITSELF),
    Case("ten million ops in spill mode: the process grows by", footprint.spilled, "MB", 200, ITSELF, False, True),
    Case("training step of mlp_sgd", training.mlp_sgd, "us"),
    Case("training step of gpt_block", training.gpt_block, "us"),
    Case("mlp_sgd recorded (all but stacks), times unprofiled", training.mlp_sgd_recorded, "x", 1.1, ITSELF, True),
    Case("gpt_block recorded (all but stacks), times unprofiled", training.gpt_block_recorded, "x", 1.1, ITSELF, True),
)
