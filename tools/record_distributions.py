"""Record what PyTorch's distributions answer to distributions/cases.py; run with a Python that has torch."""

from __future__ import annotations

import gzip
import importlib
import json
import runpy
import warnings
from pathlib import Path
from types import SimpleNamespace

import torch

TESTS = Path(__file__).parents[1] / "tests" / "mindtorch_v2"
OUT = TESTS / "data" / "distributions.json.gz"
FILES = ("cases", "kl_cases", "transform_cases", "expressions", "surface")
cases, kl_cases, transform_cases, expressions, surface = (
    SimpleNamespace(**runpy.run_path(str(TESTS / "distributions" / f"{name}.py"))) for name in FILES)


def distribution(code: str) -> dict:
    answers = {question: cases.ask(torch, code, question) for question in cases.QUESTIONS}
    return {"said": cases.describe(torch, code), "answers": answers, "rows": cases.all_rows(torch, code)}


def main() -> None:
    assert torch.__version__.startswith("2.13.0"), f"the oracle is torch 2.13.0, not {torch.__version__}"
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    facts = {"distributions": {code: distribution(code) for code in cases.codes()},
             "kl": {pair: kl_cases.divergence(torch, cases, pair) for pair in kl_cases.pairs(torch)},
             "transforms": {code: transform_cases.answers(torch, cases, code) for code in transform_cases.TRANSFORMS},
             "said": {text: expressions.said(torch, text) for text in expressions.ALL},
             "surface": {address: surface.surface(importlib.import_module(f"torch.distributions{address}"))
                         for address in surface.ADDRESSES}}
    OUT.write_bytes(gzip.compress(json.dumps(facts, separators=(",", ":")).encode(), 9, mtime=0))
    print({kind: len(found) for kind, found in facts.items()}, OUT.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
