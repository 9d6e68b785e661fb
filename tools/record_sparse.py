"""Record what PyTorch says about sparse tensors: run with torch 2.13.0."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import torch

TESTS = Path(__file__).resolve().parents[1] / "tests"
sys.path.insert(0, str(TESTS / "mindtorch_v2"))

from sparse import cases, gradient_cases, observing  # noqa: E402


def main() -> None:
    facts = {"answers": {statement: observing.answer(torch, statement) for statement in cases.ANSWERS},
             "rows": {statement: observing.rows(torch, statement) for statement in gradient_cases.ROWS},
             "names": sorted(name for name in dir(torch.sparse) if not name.startswith("_"))}
    text = json.dumps(facts, separators=(",", ":"), sort_keys=True, default=str)
    (TESTS / "mindtorch_v2" / "data" / "sparse.json.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
