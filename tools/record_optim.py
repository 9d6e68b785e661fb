"""Record what PyTorch's optimisers and schedules do with optim/cases.py; run with a Python that has torch."""

from __future__ import annotations

import gzip
import json
import runpy
import warnings
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
from torch._C._profiler import _EventType
from torch.profiler import ProfilerActivity, profile

TESTS = Path(__file__).parents[1] / "tests" / "mindtorch_v2"
OUT = TESTS / "data" / "optim.json.gz"
cases = SimpleNamespace(**runpy.run_path(str(TESTS / "optim" / "cases.py")))


def shape(given: Any) -> Any:
    if isinstance(given, list):
        return [shape(item) for item in given if hasattr(item, "sizes")] or None
    return list(given.sizes) if hasattr(given, "sizes") else None


def rows(prof: Any) -> list[str]:
    """The rows directly under the step, with the shapes of their tensors."""
    step, = [e for e in prof.profiler.kineto_results.experimental_event_tree() if e.name.startswith("Optimizer.step#")]
    return [f"{row.name} {json.dumps([s for s in map(shape, row.extra_fields.inputs) if s is not None])}"
            for row in step.children if row.tag == _EventType.TorchOp]


def watched(run: Callable) -> dict[str, Any]:
    """What ``run(watch)`` finds, and the rows of its first and its last step."""
    shown = []

    @contextmanager
    def watch():
        with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as prof:
            yield
        shown.append(rows(prof))

    found = run(watch)
    return {**found, "rows": [shown[0], shown[-1]]}


def optimiser(code: str) -> dict[str, Any]:
    return watched(lambda watch: cases.optimise(torch, code, watch))


def minimising(code: str) -> dict[str, Any]:
    return watched(lambda watch: cases.minimise(torch, code, watch))


def differentiable(code: str) -> dict[str, Any]:
    """As many steps as PyTorch can go back through: some rules overwrite what an earlier step needs."""
    try:
        return cases.differentiate(torch, code, 3)
    except RuntimeError:
        return cases.differentiate(torch, code, 1)


def main() -> None:
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    facts = {"optimisers": {code: optimiser(code) for code in cases.codes() + cases.typed_codes()},
             "lbfgs": {code: minimising(code) for code in cases.LBFGS},
             "differentiable": {code: differentiable(code) for code in cases.DIFFERENTIABLE},
             "schedules": {code: cases.schedule(torch, code) for code in cases.SCHEDULES}}
    with gzip.GzipFile(OUT, "wb", mtime=0) as file:
        file.write(json.dumps(facts, separators=(",", ":")).encode())
    print({kind: len(found) for kind, found in facts.items()}, OUT.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
