"""Record which writes to shared memory torch refuses, for overlap_cases.py; run with a Python that has torch."""

from __future__ import annotations

import gzip
import json
import runpy
import warnings
from pathlib import Path

import torch

TESTS = Path(__file__).parents[1] / "tests" / "mindtorch_v2"
CASES = runpy.run_path(str(TESTS / "dispatch" / "overlap_cases.py"))
DATA = TESTS / "data" / "overlaps.json.gz"

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    facts = [CASES["outcome"](torch, *case) for case in CASES["CASES"]]
    DATA.write_bytes(gzip.compress(json.dumps(facts).encode(), mtime=0))
    print(f"{DATA.name}: {len(facts)} cases")
