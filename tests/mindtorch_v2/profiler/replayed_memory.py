"""torch's recorded event trees, put into our table as if we had recorded them."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path

import numpy as np

from mindtorch_v2.profiler.kineto.recorded import GIVEN, Recorded
from mindtorch_v2.profiler.kineto.result import _ProfilerResult
from mindtorch_v2.profiler.session.op_schemas import SCHEMAS
from mindtorch_v2.profiler.table import columns
from mindtorch_v2.profiler.table.event_table import EventTable, Thread, Window
from mindtorch_v2.profiler.views.record_scope import MODULE_CALL, PYTHON_CALL
from mindtorch_v2.record.calls import Frame
from mindtorch_v2.record.objects import ModuleFacts, OptimizerFacts, TensorFacts

DATA = Path(__file__).parents[1] / "data" / "memory_profiles.json.gz"
CALLED = Frame("torch/nn/modules/module.py", 1774, "_wrapped_call_impl")


@cache
def recorded_by_torch() -> dict:
    return json.loads(gzip.decompress(DATA.read_bytes()))


def facts(t: list | None) -> TensorFacts | None:
    return t and TensorFacts(t[0], t[1] or 0, tuple(t[2]), tuple(t[3]), t[4])


class Replay:
    """Rows, memory changes, tensors, modules and optimizers read off a recorded tree."""

    def __init__(self, program: dict):
        self.rows, self.memory, self.tensors = [], [], []
        self.modules, self.optimizers, self.names, self.inputs = {}, {}, [], []
        for node in program["tree"]:
            self.add(node, -1)
        self.start_ns = program["start_ns"]

    def add(self, node: list, parent: int) -> None:
        name, start, duration, extra, children = node
        if "ptr" in extra:
            self.memory.append((start, extra["ptr"], extra["size"], extra["total"], parent))
            return
        row = len(self.rows)
        self.names.append((name, ""))
        scope, described = extra.get("scope", PYTHON_CALL), -1
        if "module" in extra:
            scope = MODULE_CALL
            pointer, cls_name, parameters = extra["module"]
            self.modules[row] = ModuleFacts(pointer, 0, cls_name, [(n, facts(p), facts(g)) for n, p, g in parameters],
                                            CALLED)
        elif "optimizer" in extra:
            pointer, parameters = extra["optimizer"]
            self.optimizers[row] = OptimizerFacts(pointer, 0, "", [
                (facts(p), facts(g), {n: facts(t) for n, t in state.items()}) for p, g, state in parameters])
        elif extra["inputs"]:
            described = len(self.inputs)
            self.inputs.append(tuple(self.described(value, row) for value in extra["inputs"]))
        self.rows.append((start, start + duration, extra.get("sequence", -1), row, parent, described, scope))
        for child in children:
            self.add(child, row)

    def described(self, value, row: int):
        if isinstance(value, dict):
            if "tensors" in value:
                return ("[]", *(self.given(t, row) for t in value["tensors"]))
            return self.given(value["tensor"], row)
        return (type(value).__name__, value) if isinstance(value, (float, bool)) else value

    def given(self, t: list, row: int) -> tuple:
        slot = sum(1 for event, *_ in self.tensors if event == row)
        self.tensors.append((row, slot, t[0], t[1] or 0))
        return tuple(t[2]), t[4], tuple(t[3])

    def result(self) -> _ProfilerResult:
        events = columns.blank(columns.EVENTS, len(self.rows))
        for name, cells in zip(("start_ns", "end_ns", "sequence", "name", "parent", "inputs", "scope"),
                               zip(*self.rows)):
            events[name] = np.array(cells)
        events["id"], events["thread"] = np.arange(1, len(self.rows) + 1), np.ones(len(self.rows))
        memory = columns.blank(columns.MEMORY, len(self.memory))
        for name, cells in zip(("time_ns", "address", "change", "total", "event"), zip(*sorted(self.memory))):
            memory[name] = np.array(cells)
        memory["thread"][:], memory["seen"][:] = 1, 1
        window = Window(0, 10**12, self.start_ns, 1, record_shapes=True, profile_memory=True, with_stack=True)
        table = EventTable(events, memory, self.names, self.inputs, (Thread(1, 1, "MainThread"),), window,
                           schemas=SCHEMAS)
        return _ProfilerResult(Recorded(table, np.array(self.tensors, GIVEN), self.modules, self.optimizers))
