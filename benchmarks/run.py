"""Ours against PyTorch, in one run: alternating processes, best of several, one thread, ratio printed.

    python benchmarks/run.py                              plain figures where torch is absent
    python benchmarks/run.py --oracle path/to/python      the interpreter that has torch 2.13.0
    python benchmarks/run.py --write key_averages         only lines of that name; --write: into RESULTS.md

What is measured stands in table.py. A whole run takes about ten minutes.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import platform
import statistics
import subprocess
import sys
from typing import NamedTuple

from table import CASES, ITSELF, Case

HERE = pathlib.Path(__file__).resolve().parent
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


class Line(NamedTuple):
    """One case, measured."""

    case: Case
    ours: float
    theirs: float | None

    @property
    def ratio(self) -> float | None:
        return self.ours / self.theirs if self.theirs else None

    @property
    def judged(self) -> float | None:
        """The number the aim is about."""
        return self.ours if self.case.against == ITSELF else self.ratio

    def cells(self) -> list[str]:
        aim = "" if self.case.aim is None else f"≤ {self.case.aim:g} {self.case.against}"
        met = "" if not aim or self.judged is None else "met" if self.judged <= self.case.aim else "not met"
        return [self.case.name, self.case.unit, figure(self.ours), figure(self.theirs), figure(self.ratio), aim, met]


def figure(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def measure(case: Case, python: str, library: str) -> float:
    """The case's figure from a process of its own."""
    done = subprocess.run([python, str(HERE / "one.py"), library, case.name], capture_output=True, text=True,
                          env={**os.environ, **ONE_THREAD})
    if done.returncode:
        raise SystemExit(f"{library} failed at {case.name!r}:\n{done.stderr[-2000:]}")
    return float(done.stdout.splitlines()[-1])


def compare(case: Case, oracle: str | None, rounds: int) -> Line:
    """The best of several, or the middle one, ours and PyTorch's in turns."""
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(measure(case, sys.executable, "mindtorch_v2"))
        if oracle is not None and not case.ours_alone:
            theirs.append(measure(case, oracle, "torch"))
    chosen = statistics.median if case.middle else min
    return Line(case, chosen(ours), chosen(theirs) if theirs else None)


def has_torch(python: str) -> bool:
    return subprocess.run([python, "-c", "import torch"], capture_output=True).returncode == 0


def machine() -> str:
    """What the figures were taken on, in one line."""
    try:
        model = next(line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name"))
    except (OSError, StopIteration):
        model = platform.machine()
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, one thread"


HEADER = ["what", "unit", "ours", "PyTorch 2.13", "ratio", "aim", ""]
WIDTHS = ["<72", ">12", ">10", ">14", ">10", ">20", ">9"]


def aligned(cells: list[str]) -> str:
    return "".join(f"{cell:{width}}" for cell, width in zip(cells, WIDTHS))


def results(lines: list[Line], rounds: int) -> str:
    """The figures as a page."""
    judged = [line for line in lines if line.cells()[-1]]
    met = sum(line.cells()[-1] == "met" for line in judged)
    rows = [HEADER, ["---"] * 2 + ["---:"] * 3 + ["---"] * 2, *(line.cells() for line in lines)]
    table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    return (f"# Results\n\nWritten by `make bench`: {machine()};\nbest of {rounds} processes a line, taken in turns "
            f"(of differences and ratios the middle one).\n"
            f"{met} of {len(judged)} aims met. What each line measures stands in `table.py`; where PyTorch was asked "
            f"about fewer\nevents than we were (`answers.py`, `many`), the figures are per event.\n\n{table}\n")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("names", nargs="*", help="parts of the names of the lines to measure; none for all")
    arguments.add_argument("--oracle", default=os.environ.get("MINDTORCH_ORACLE", sys.executable))
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--write", action="store_true", help="write RESULTS.md")
    options = arguments.parse_args()
    oracle = options.oracle if has_torch(options.oracle) else None
    lines = []
    print(aligned(HEADER))
    for case in CASES:
        if not options.names or any(name in case.name for name in options.names):
            lines.append(compare(case, oracle, options.rounds))
            print(aligned(lines[-1].cells()), flush=True)
    if options.write:
        (HERE / "RESULTS.md").write_text(results(lines, options.rounds))

if __name__ == "__main__":
    main()
