"""Records what PyTorch answers to the programs of tests/mindtorch_v2/nn/cases, for the tests beside them.

``record_nn.py pooling rows`` records these subjects only; without a name, all.
"""

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
OUT = HOME / "data/nn"


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


def answers(subject: str) -> dict:
    """What PyTorch answers to the programs of a subject; of "rows…" the rows they leave."""
    programs = importlib.import_module(f"cases.{subject}").CASES
    if subject.startswith("rows"):
        return {key: rows(*case) for key, case in programs.items()}
    answer = importlib.import_module("cases").answer
    return {key: answer(torch, program) for key, program in programs.items()}


def main() -> None:
    torch.set_num_threads(1)
    sys.path.insert(0, str(HOME / "nn"))
    with profile(activities=[ProfilerActivity.CPU]):
        torch.ones(1)  # the first profile of a process loses rows
    everything = sorted(file.stem for file in (HOME / "nn/cases").glob("[!_]*.py"))
    for subject in sys.argv[1:] or everything:
        recorded = answers(subject)
        file = OUT / f"{subject}.json.gz"
        file.write_bytes(gzip.compress(json.dumps(recorded, separators=(",", ":")).encode(), 9, mtime=0))
        print(f"{file.name}: {len(recorded)} answers, {file.stat().st_size} bytes")


if __name__ == "__main__":
    main()
