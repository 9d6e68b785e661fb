"""Record what torch.func and forward-mode derivatives do, and the tangents of ops: run with torch 2.13.0."""

from __future__ import annotations

import gzip
import importlib
import json
import sys
from pathlib import Path

import torch
import torch.autograd.forward_ad

TESTS = Path(__file__).resolve().parents[1] / "tests" / "mindtorch_v2"
sys.path[:0] = [str(TESTS / "func"), str(TESTS / "ops")]

import derivative_cases  # noqa: E402
import observe  # noqa: E402
import observed  # noqa: E402


def tangents() -> dict:
    """The tangents of the first sample of every op."""
    answers = {}
    for path in sorted((TESTS / "ops" / "samples").glob("*/[a-z]*.py")):
        module = importlib.import_module(f"samples.{path.parent.name}.{path.stem}")
        for op, rows in module.SAMPLES.items():
            answers[op] = observe.attempt(observe.tangents_of, torch, rows[0])
    return answers


def main() -> None:
    names = {line: derivative_cases.scope(torch) for text in (derivative_cases.VALUES, derivative_cases.ERRORS)
             for line in derivative_cases.lines(text)}
    facts = {"expressions": {line: observed.observed(torch, scope, line) for line, scope in names.items()},
             "tangents": tangents()}
    text = json.dumps(facts, separators=(",", ":"), sort_keys=True)
    (TESTS / "data" / "derivatives.json.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
