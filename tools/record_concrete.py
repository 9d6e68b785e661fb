"""Record the concrete inputs that torch shows of the calls in concrete.py; run with a Python that has torch."""

from __future__ import annotations

import gzip
import json
import runpy
import warnings
from pathlib import Path

import torch

TESTS = Path(__file__).parents[1] / "tests" / "mindtorch_v2"
CASES = runpy.run_path(str(TESTS / "profiler" / "concrete.py"))
DATA = TESTS / "data" / "concrete_inputs.json.gz"

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    facts = CASES["concrete_inputs"](torch)
    DATA.write_bytes(gzip.compress(json.dumps(facts, separators=(",", ":")).encode(), 9, mtime=0))
    print(f"{DATA.name}: {len(facts)} lines, {DATA.stat().st_size} bytes")
