"""Small programs whose profile must be PyTorch's: each file has run(torch, prof_kwargs, steps) -> (prof, result)."""

from __future__ import annotations

import gc
import importlib
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
NAMES = sorted(path.stem for path in HERE.glob("[a-z]*.py"))
MODES = {"sched": 4, "cold": 2}  # with a schedule or without, and how many steps
# Rows that belong to a library inside PyTorch's build, as ops/observe.py lists them.
ENGINE = re.compile(r"^aten::(mkldnn_|_mkldnn|mkl_|_nnpack|cudnn_is_acceptable|_slow_conv|slow_conv|thnn_conv|"
                    r"_use_cudnn)")


def show(library: str, name: str, mode: str, **environment: str) -> dict:
    """What a program shows in a fresh process: memory of an earlier profile would tell in a later one."""
    command = [sys.executable, "-m", "programs", library, name, mode]
    done = subprocess.run(command, cwd=HERE.parent, env={**os.environ, **environment}, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{name} {mode}: {done.stderr}")
    return json.loads(done.stdout[done.stdout.index('{"rows"'):])


def watch(torch, name: str, mode: str) -> dict:
    """Rows by shape, tree and result of one program, without the engine's rows."""
    p = torch.profiler
    options = {"activities": [p.ProfilerActivity.CPU], "record_shapes": True, "profile_memory": True,
               "with_flops": True}
    if mode == "sched":
        options["schedule"] = p.schedule(wait=1, warmup=1, active=2, repeat=1)
    module = importlib.import_module(f"{__name__}.{name}")
    gc.collect()
    gc.disable()  # a collection inside a step would free garbage of an earlier one, as memory the step gave back
    try:
        prof, result = module.run(torch, options, MODES[mode])
    finally:
        gc.enable()
    rows = [[r.key, plain(r.input_shapes), r.count, r.flops, r.cpu_memory_usage, r.self_cpu_memory_usage]
            for r in prof.key_averages(group_by_input_shape=True) if not ENGINE.match(r.key)]
    return {"rows": sorted(rows, key=str), "tree": tree(e for e in prof.events() if e.cpu_parent is None),
            "result": list(numbers(result))}


def tree(events) -> list:
    """[name, shapes, children] of each event in order; what is inside an engine's row stands in its place."""
    found = []
    for e in sorted(events, key=lambda e: e.time_range.start):
        children = tree(e.cpu_children)
        found.extend(children if ENGINE.match(e.name) else [[e.name, plain(e.input_shapes), children]])
    return found


def lines(nodes: list, depth: int = 0):
    """A tree as indented text, one event a line."""
    for name, shapes, children in nodes:
        yield f"{'  ' * depth}{name} {shapes}"
        yield from lines(children, depth + 1)


def plain(value):
    return [plain(v) for v in value] if isinstance(value, (list, tuple)) else value


def numbers(value):
    if isinstance(value, (list, tuple)):
        for v in value:
            yield from numbers(v)
    else:
        yield float(value)


def pack(found: dict) -> dict:
    """Trees repeat themselves: keep every different branch once, and name it by its place in a list."""
    branches, places = [], {}

    def place(node) -> int:
        name, shapes, children = node
        branch = [name, shapes, *map(place, children)]
        if str(branch) not in places:
            places[str(branch)] = len(branches)
            branches.append(branch)
        return places[str(branch)]

    return {**found, "tree": [place(node) for node in found["tree"]], "branches": branches}


def unpack(packed: dict) -> dict:
    nodes: list = []
    for name, shapes, *children in packed["branches"]:
        nodes.append([name, shapes, [nodes[n] for n in children]])
    return {**{k: v for k, v in packed.items() if k != "branches"}, "tree": [nodes[n] for n in packed["tree"]]}
