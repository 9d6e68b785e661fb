"""Record values and gradients of linear algebra, and the names of torch.linalg: run with torch 2.13.0."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import torch

TESTS = Path(__file__).resolve().parents[1] / "tests" / "mindtorch_v2"
sys.path.insert(0, str(TESTS / "ops"))

import matrix_samples  # noqa: E402
import observe  # noqa: E402


def main() -> None:
    answers = {name: {"value": observe.attempt(observe.value_of, torch, sample),
                      "gradients": observe.attempt(observe.gradients_of, torch, sample),
                      "second_gradients": observe.attempt(observe.second_gradients_of, torch, sample)}
               for name, sample in matrix_samples.SAMPLES.items()}
    gauge = {name: observe.attempt(observe.gradients_of, torch, sample)
             for name, sample in matrix_samples.GAUGE.items()}
    facts = {"answers": answers, "gauge": gauge, "names": matrix_samples.names_of(torch)}
    text = json.dumps(facts, separators=(",", ":"), sort_keys=True)
    (TESTS / "data" / "linalg.json.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
