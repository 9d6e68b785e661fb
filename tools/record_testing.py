"""Record what PyTorch's torch.testing answers to tests/mindtorch_v2/testing/cases.py: run with torch 2.13.0."""

from __future__ import annotations

import json
import pathlib
import runpy
import warnings

import torch
import torch.testing

TESTS = pathlib.Path(__file__).resolve().parent.parent / "tests" / "mindtorch_v2"


def main() -> None:
    assert torch.__version__.startswith("2.13.0"), f"the oracle is torch 2.13.0, not {torch.__version__}"
    warnings.simplefilter("ignore")
    module = runpy.run_path(str(TESTS / "testing" / "cases.py"))
    answers = {name: module["answer"](call) for name, call in module["cases"](torch).items()}
    (TESTS / "data" / "testing.json").write_text(json.dumps(answers, indent=1) + "\n")


if __name__ == "__main__":
    main()
