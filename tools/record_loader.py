"""Record what PyTorch's loaders with workers give, and the surface of torch.utils.data and torch.multiprocessing.

Run with a Python that has torch 2.13.0; writes data/loader.json.gz.
"""

from __future__ import annotations

import gzip
import importlib
import json
import runpy
import warnings
from pathlib import Path

import torch
from torch.profiler import profile

TESTS = Path(__file__).parents[1] / "tests" / "mindtorch_v2"
DATA = TESTS / "data" / "loader.json.gz"


def main() -> None:
    assert torch.__version__.startswith("2.13.0"), f"the oracle is torch 2.13.0, not {torch.__version__}"
    warnings.simplefilter("ignore")
    cases = runpy.run_path(str(TESTS / "utils" / "loader_cases.py"))["cases"](torch, torch.utils.data, profile)
    surface = runpy.run_path(str(TESTS / "utils" / "loader_surface.py"))
    facts = {"cases": {name: case() for name, case in cases.items()},
             "surface": {address: surface["facts"](importlib.import_module(f"torch.{address}"))
                         for address in surface["ADDRESSES"]}}
    DATA.write_bytes(gzip.compress(json.dumps(facts, separators=(",", ":")).encode(), 9, mtime=0))
    print(f"{DATA.name}: {DATA.stat().st_size} bytes, {len(cases)} cases, {sum(map(len, facts['surface'].values()))} "
          "names")


if __name__ == "__main__":
    main()
