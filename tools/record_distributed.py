"""Record what several processes find together; run with a Python that has torch."""

from __future__ import annotations

import gzip
import json
import runpy
from pathlib import Path

import torch

TESTS = Path(__file__).parents[1] / "tests" / "mindtorch_v2"
DATA = TESTS / "data" / "distributed.json.gz"

if __name__ == "__main__":
    scenarios = runpy.run_path(str(TESTS / "distributed" / "scenarios.py"))
    facts = {f"{name} of {size}": scenarios["outcome"](torch, name, size)
             for name in scenarios["SCENARIOS"] | scenarios["ENDINGS"] for size in scenarios["SIZES"]}
    DATA.write_bytes(gzip.compress(json.dumps(facts, separators=(",", ":")).encode(), 9, mtime=0))
    print(f"{DATA.name}: {DATA.stat().st_size} bytes, {len(facts)} scenarios")
