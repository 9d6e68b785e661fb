"""Measure one case in this process: ``python one.py mindtorch_v2 "x + x, 4x4"`` prints its figure."""

from __future__ import annotations

import importlib
import sys
import warnings

from table import CASES


def main() -> None:
    library, name = sys.argv[1:]
    warnings.simplefilter("ignore")
    torch = importlib.import_module(library)
    importlib.import_module(library + ".profiler")
    torch.set_num_threads(1)
    case = next(c for c in CASES if c.name == name)
    print(case.measure(torch))


if __name__ == "__main__":
    main()
