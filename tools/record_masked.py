"""Record what tensors with a mask of their own answer; run with a Python that has torch."""

from __future__ import annotations

import gzip
import json
import runpy
from pathlib import Path

import torch

TESTS = Path(__file__).parents[1] / "tests" / "mindtorch_v2"
DATA = TESTS / "data" / "masked_tensors.json.gz"

if __name__ == "__main__":
    facts = runpy.run_path(str(TESTS / "masked_tensors.py"))["answers"](torch)
    DATA.write_bytes(gzip.compress(json.dumps(facts, separators=(",", ":")).encode(), 9, mtime=0))
    print(f"{DATA.name}: {DATA.stat().st_size} bytes, {len(facts)} answers")
