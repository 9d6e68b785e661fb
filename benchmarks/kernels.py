"""Kernels and steps beside PyTorch's, at one thread and at two: ratios of ours to theirs, in one run.

    python benchmarks/kernels.py --oracle path/to/python [part of a name or family …] [--write]
    python benchmarks/kernels.py --small --threads 1 …    # calls on a few numbers

Each library measures all lines in a process of its own; processes take turns, and the best time of each line counts.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import os
import pathlib
import subprocess
import sys
import timeit
import warnings

from kernels_table import KERNELS, Kernel
from small_ops_table import SMALL_OPS

HERE = pathlib.Path(__file__).resolve().parent
THREADS = (1, 2)
SECONDS = 0.1  # that a line is run for, in each round
SMALL = "--small"
AIM, WORST = 1.0, 1.5  # nine of ten lines are to be no slower than PyTorch, none by more than half


def best_us(torch, kernel: Kernel) -> float:
    """The shortest time of one run."""
    torch.manual_seed(0)
    names = {"torch": torch, "F": torch.nn.functional}
    exec(kernel.setup, names)
    timer = timeit.Timer(kernel.statement, globals=names)
    number = 1
    while (seconds := timer.timeit(number)) < SECONDS / 10:
        number *= 2
    return min(seconds, *timer.repeat(max(int(SECONDS / seconds), 3), number)) / number * 1e6


def measure_here(library: str, threads: int, names: list[str]) -> None:
    """All lines in this process, as JSON."""
    warnings.simplefilter("ignore")
    torch = importlib.import_module(library)
    importlib.import_module(library + ".nn")
    torch.set_num_threads(threads)
    print(json.dumps({kernel.name: best_us(torch, kernel) for kernel in chosen(names)}))


def chosen(names: list[str]) -> list[Kernel]:
    """The lines of the table, or of that of small ops, whose name or family has one of these words."""
    table = SMALL_OPS if SMALL in names else KERNELS
    names = [name for name in names if name != SMALL]
    return [k for k in table if not names or any(name in k.name or name in k.family for name in names)]


def measured(python: str, library: str, threads: int, names: list[str]) -> dict[str, float]:
    done = subprocess.run([python, __file__, "--here", library, str(threads), *names], capture_output=True, text=True,
                          env={**os.environ, "OMP_NUM_THREADS": str(threads)}, cwd=HERE)
    if done.returncode:
        raise SystemExit(f"{library} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def ratios(oracle: str, threads: int, names: list[str], rounds: int) -> dict[str, tuple[float, float]]:
    """By line, our best time and PyTorch's."""
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(measured(sys.executable, "mindtorch_v2", threads, names))
        theirs.append(measured(oracle, "torch", threads, names))
    return {name: (min(times[name] for times in ours), min(times[name] for times in theirs)) for name in ours[0]}


def summary(values: list[float]) -> str:
    mean = math.exp(sum(map(math.log, values)) / len(values))
    return (f"geometric mean {mean:.2f}, no slower {sum(v <= AIM for v in values)} of {len(values)}, "
            f"above {WORST}: {sum(v > WORST for v in values)}")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("names", nargs="*")
    arguments.add_argument("--oracle", default=os.environ.get("MINDTORCH_ORACLE", sys.executable))
    arguments.add_argument("--rounds", type=int, default=2)
    arguments.add_argument("--threads", type=int, nargs="*", default=THREADS)
    arguments.add_argument("--small", action="store_true", help="calls on a few numbers instead")
    arguments.add_argument("--write", action="store_true", help="write KERNELS.md, or SMALL_OPS.md")
    options = arguments.parse_args()
    options.names += [SMALL] * options.small
    table = {threads: ratios(options.oracle, threads, options.names, options.rounds) for threads in options.threads}
    lines = ["| family | what | " + " | ".join(f"us, {n} thread(s) | ratio" for n in table) + " |",
             "| --- | --- |" + " ---: | ---: |" * len(table)]
    for kernel in chosen(options.names):
        timed = [table[n][kernel.name] for n in table]
        cells = [f"{ours:,.{1 if options.small else 0}f} | {ours / theirs:.2f}" for ours, theirs in timed]
        shown = f"`{kernel.name}`" if options.small else kernel.name
        lines.append(f"| {kernel.family} | {shown} | " + " | ".join(cells) + " |")
    summaries = [f"{n} thread(s): {summary([a / b for a, b in table[n].values()])}" for n in table]
    print("\n".join([*lines, *summaries]))
    if options.write:
        page = [f"# {'Small ops' if options.small else 'Kernels'} beside PyTorch 2.13", "",
                f"Written by `python benchmarks/kernels.py {'--small --threads 1 ' * options.small}--write`; ratios "
                "above 1 are slower.", "", *summaries, "", *lines, ""]
        (HERE / ("SMALL_OPS.md" if options.small else "KERNELS.md")).write_text("\n".join(page))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        measure_here(sys.argv[2], int(sys.argv[3]), sys.argv[4:])
    else:
        main()
