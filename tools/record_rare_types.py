"""Record what PyTorch does with tensors of rare types, and what all types say of themselves and each other.

Run with a Python that has torch 2.13.0: ``python tools/record_rare_types.py``.
"""

from __future__ import annotations

import gzip
import importlib.util
import json
import pathlib

import torch

TESTS = pathlib.Path(__file__).parents[1] / "tests" / "mindtorch_v2"
OUT = TESTS / "data" / "rare_types.json.gz"


def main() -> None:
    spec = importlib.util.spec_from_file_location("rare_type_cases", TESTS / "core" / "rare_type_cases.py")
    cases = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(cases)
    answers = {name: {expression: cases.answer(torch, name, expression) for expression in cases.CASES}
               for name in cases.NAMES}
    recorded = {"answers": answers, "attributes": cases.attributes(torch), "pairs": cases.pairs(torch)}
    OUT.write_bytes(gzip.compress(json.dumps(recorded).encode(), mtime=0))
    print(f"{len(cases.CASES)} expressions of {len(answers)} types, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
