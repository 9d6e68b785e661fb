"""Ours against PyTorch, in one run: alternating processes, best of several, one thread, ratio printed.

    python benchmarks/run.py                              plain figures where torch is absent
    python benchmarks/run.py --oracle path/to/python      the interpreter that has torch 2.13.0
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS = 3


def measure(python: str, library: str, names: list[str]) -> dict[str, float]:
    """Best times in ns of each benchmark, from a process of its own."""
    env = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    done = subprocess.run([python, str(HERE / "cases.py"), library, *names], capture_output=True, text=True, env=env)
    if done.returncode:
        raise SystemExit(f"{library} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def has_torch(python: str) -> bool:
    return subprocess.run([python, "-c", "import torch"], capture_output=True).returncode == 0


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("names", nargs="*")
    arguments.add_argument("--oracle", default=os.environ.get("MINDTORCH_ORACLE", sys.executable))
    options = arguments.parse_args()
    oracle = has_torch(options.oracle)
    ours: dict[str, float] = {}
    theirs: dict[str, float] = {}
    for _ in range(ROUNDS):
        for best, python, library in ((ours, sys.executable, "mindtorch_v2"), (theirs, options.oracle, "torch")):
            if library == "torch" and not oracle:
                continue
            for name, ns in measure(python, library, options.names).items():
                best[name] = min(ns, best.get(name, ns))
    print(f"{'':40}{'ours':>12}{'torch':>12}{'ratio':>8}")
    for name, ns in ours.items():
        compared = f"{theirs[name] / 1000:10.2f}us{ns / theirs[name]:8.2f}" if name in theirs else f"{'-':>12}{'-':>8}"
        print(f"{name:40}{ns / 1000:10.2f}us{compared}")


if __name__ == "__main__":
    main()
