"""Record torch's event trees, with what its memory profiler makes of them; run with a Python that has torch.

A recording holds the raw events (addresses, times, inputs) and what torch worked out from them (numbers of tensors
and allocations, categories, timelines), so that a test can give the same events to ours.
"""

from __future__ import annotations

import gzip
import json
import runpy
import tempfile
import warnings
from pathlib import Path

import torch
from torch._C import _profiler
from torch.profiler import _memory_profiler, profile

TESTS = Path(__file__).parents[1] / "tests" / "mindtorch_v2"
OUT = TESTS / "data" / "memory_profiles.json.gz"
WITH_FILES = ("views_and_resizes", "train_sgd_momentum")
FILES = ("memory.json", "memory.json.gz", "memory.raw.json.gz")

_small: dict[int, int] = {}


def small(address: int | None) -> int | None:
    """A short number for an address; equal addresses keep equal numbers."""
    return address and _small.setdefault(address, 16 * (len(_small) + 1))


def tensor(t) -> list | None:
    """Everything torch says of a tensor, its numbers last."""
    return t and [small(t.impl_ptr), small(t.storage_data_ptr), list(t.sizes), list(t.strides),
                  str(t.dtype).split(".")[1], t.id, t.allocation_id]


def given(value):
    if isinstance(value, _profiler._TensorMetadata):
        return {"tensor": tensor(value)}
    if isinstance(value, list):
        return {"tensors": [tensor(t) for t in value]}
    return value


def fields(event):
    """What the kind of an event adds; None for a Python call that tells nothing about tensors."""
    extra = event.extra_fields
    if isinstance(extra, _profiler._ExtraFields_TorchOp):
        return {"scope": extra.scope.value, "sequence": extra.sequence_number, "inputs": list(map(given, extra.inputs)),
                "mutable": _memory_profiler.SchemaMatcher.inputs_are_mutable(extra)}
    if isinstance(extra, _profiler._ExtraFields_Allocation):
        return {"ptr": small(extra.ptr), "size": extra.alloc_size, "total": extra.total_allocated,
                "ids": [extra.id, extra.allocation_id]}
    if isinstance(extra, _profiler._ExtraFields_PyCall) and extra.module:
        return {"module": [small(extra.module.self_ptr), extra.module.cls_name,
                           [[name, tensor(p), tensor(g)] for name, p, g in extra.module.parameters]]}
    if isinstance(extra, _profiler._ExtraFields_PyCall) and extra.optimizer:
        return {"optimizer": [small(extra.optimizer.self_ptr),
                              [[tensor(p), tensor(g), {n: tensor(s) for n, s in state}]
                               for p, g, state in extra.optimizer.parameters]]}
    return None


def tree(events, start_ns: int) -> list:
    """The nodes that say something about tensors, as [name, start, duration, fields, children]."""
    found = []
    for event in events:
        extra, children = fields(event), tree(event.children, start_ns)
        if extra is None:
            found += children
        else:
            found.append([event.name, event.start_time_ns - start_ns, event.duration_time_ns, extra, children])
    return found


def record(program) -> dict:
    _small.clear()
    run = program(torch)
    with profile(record_shapes=True, profile_memory=True, with_stack=True) as prof:
        run()
    result = prof.profiler.kineto_results
    start_ns = result.trace_start_ns()
    memory = prof._memory_profile()
    categories = memory._categories
    timeline = []
    for time_ns, action, (key, version), size in memory.timeline:
        category = categories.get(key, version)
        timeline.append([time_ns - start_ns if time_ns >= 0 else -1, action.name, getattr(key, "id", None), version,
                         size, category and category.name])
    graph = [[n._event.name, {k.id: v for k, v in n.inputs.items()}, {k.id: v for k, v in n.outputs.items()},
              [k.id for k in n.intermediates]] for n in memory._data_flow_graph.flow_nodes]
    return {"start_ns": start_ns, "tree": tree(result.experimental_event_tree(), start_ns), "timeline": timeline,
            "flow": graph, "files": files(prof) if program.__name__ in WITH_FILES else {}}


def files(prof) -> dict:
    """The text of the timeline's files."""
    found = {}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in FILES:
            path = Path(folder) / name
            prof.export_memory_timeline(str(path), device="cpu")
            data = path.read_bytes()
            found[name] = (gzip.decompress(data) if name.endswith(".gz") else data).decode()
    return found


def main() -> None:
    programs = runpy.run_path(TESTS / "profiler" / "memory_programs.py")["PROGRAMS"]
    record(programs[0])  # torch loads some of itself in the first profile
    recorded = {program.__name__: record(program) for program in programs}
    OUT.write_bytes(gzip.compress(json.dumps(recorded, separators=(",", ":")).encode(), mtime=0))


if __name__ == "__main__":
    main()
