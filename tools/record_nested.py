"""Record what PyTorch answers to questions about nested tensors: run with torch 2.13.0."""

from __future__ import annotations

import gzip
import json
import runpy
from pathlib import Path

import torch

TESTS = Path(__file__).parents[1] / "tests" / "mindtorch_v2"
DATA = TESTS / "data" / "nested.json.gz"


if __name__ == "__main__":
    facts = runpy.run_path(str(TESTS / "nested" / "cases.py"))["answers"](torch)
    DATA.write_bytes(gzip.compress(json.dumps(facts, separators=(",", ":")).encode(), 9, mtime=0))
    print(f"{DATA.name}: {len(facts)} answers")
