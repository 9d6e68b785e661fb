"""Records what PyTorch makes of the programs of tests/mindtorch_v2/func/vmap_programs.py."""

from __future__ import annotations

import gzip
import json
import runpy
from pathlib import Path

import torch

TESTS = Path(__file__).parents[1] / "tests" / "mindtorch_v2"
PROGRAMS = runpy.run_path(str(TESTS / "func" / "vmap_programs.py"))
encode = runpy.run_path(str(TESTS / "ops" / "observe.py"))["encode"]
DATA = TESTS / "data" / "vmap.json.gz"

answers = {name: PROGRAMS["answer"](torch, expression, encode) for name, expression in PROGRAMS["PROGRAMS"].items()}
DATA.write_bytes(gzip.compress(json.dumps(answers, indent=0).encode(), mtime=0))
print(f"{len(answers)} programs: {DATA.name}")
