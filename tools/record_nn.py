"""Records what PyTorch answers to the programs of tests/mindtorch_v2/nn/cases, for the tests beside them."""

from __future__ import annotations

import gzip
import importlib
import json
import sys
from pathlib import Path

import torch
from torch._C._profiler import _EventType
from torch.profiler import ProfilerActivity, profile

HOME = Path(__file__).parent.parent / "tests/mindtorch_v2"
OUT = HOME / "data/nn.json.gz"
ANSWERS = ("module", "containers", "layers", "functional", "init", "clip_grad", "convolution", "pooling", "rnn",
           "batchnorm")


def rows(setup: str, call: str) -> str:
    """The names of the rows a call leaves, nested in braces."""
    torch.manual_seed(0)
    scope = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional}
    exec(setup, scope)
    with profile(activities=[ProfilerActivity.CPU]) as watched:
        exec(call, scope)
    return " ".join(text for text in map(row, watched.profiler.kineto_results.experimental_event_tree()) if text)


def row(event) -> str:
    if event.tag != _EventType.TorchOp:
        return ""
    inside = " ".join(text for text in map(row, event.children) if text)
    name = event.name.removeprefix("aten::")
    return f"{name}{{{inside}}}" if inside else name


def main() -> None:
    torch.set_num_threads(1)
    sys.path.insert(0, str(HOME / "nn"))
    cases = importlib.import_module("cases")
    with profile(activities=[ProfilerActivity.CPU]):
        torch.ones(1)  # the first profile of a process loses rows
    recorded: dict = {"torch": torch.__version__}
    for name in ANSWERS:
        programs = importlib.import_module(f"cases.{name}").CASES
        recorded[name] = {key: cases.answer(torch, program) for key, program in programs.items()}
    recorded["rows"] = {key: rows(*case) for key, case in importlib.import_module("cases.rows").CASES.items()}
    OUT.write_bytes(gzip.compress(json.dumps(recorded, separators=(",", ":")).encode(), 9, mtime=0))
    count = sum(len(v) for v in recorded.values() if isinstance(v, dict))
    print(f"{OUT.name}: {count} answers, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
