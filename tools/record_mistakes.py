"""Record how torch refuses the expressions of mistakes.py; run with a Python that has torch."""

from __future__ import annotations

import gzip
import json
import runpy
from pathlib import Path

import torch

TESTS = Path(__file__).parents[1] / "tests" / "mindtorch_v2"
CASES = runpy.run_path(str(TESTS / "ops" / "mistakes.py"))
DATA = TESTS / "data" / "mistakes.json.gz"

if __name__ == "__main__":
    facts = {expression: CASES["outcome"](torch, expression) for expression in CASES["EXPRESSIONS"]}
    DATA.write_bytes(gzip.compress(json.dumps(facts, indent=1).encode(), mtime=0))
    print(f"{DATA.name}: {len(facts)} expressions")
