"""Record what torch asks subclasses, modes and datapipes; run with a Python that has torch."""

from __future__ import annotations

import gzip
import json
import runpy
import warnings
from pathlib import Path

import torch
from torch.profiler import profile
from torch.utils import _python_dispatch, _pytree
from torch.utils import data as torch_data

TESTS = Path(__file__).parents[1] / "tests" / "mindtorch_v2"
DATA = TESTS / "data" / "overrides.json.gz"


def tree(case) -> tuple[list, object]:
    """The rows of a call, each with its depth, and what came of it."""
    with profile() as prof:
        try:
            made = case()
        except Exception as error:
            made = error
    rows = []

    def visit(event, depth: int) -> None:
        rows.append([depth, event.name])
        for child in event.cpu_children:
            visit(child, depth + 1)

    for event in prof.events():
        if event.cpu_parent is None:
            visit(event, 0)
    return rows, made


def main() -> None:
    warnings.simplefilter("ignore")
    overrides = runpy.run_path(str(TESTS / "dispatch" / "override_cases.py"))
    pipes = runpy.run_path(str(TESTS / "utils" / "datapipe_cases.py"))
    trees = runpy.run_path(str(TESTS / "utils" / "pytree_cases.py"))
    facts = {
        "torch": torch.__version__.partition("+")[0],
        "functions": overrides["function_cases"](torch),
        "dispatch": overrides["dispatch_cases"](torch, _python_dispatch, _pytree.tree_map, tree),
        "datapipes": pipes["cases"](torch, torch_data, tree),
        "pytree": trees["cases"](torch, _pytree),
    }
    # mtime=0: the same facts give the same bytes.
    DATA.write_bytes(gzip.compress(json.dumps(facts, separators=(",", ":")).encode(), 9, mtime=0))
    print(f"{DATA.name}: {DATA.stat().st_size} bytes")


if __name__ == "__main__":
    main()
