"""Small programs, one for each family of training script, written for plain ``import torch``; each prints losses."""

from __future__ import annotations

import pathlib

FOLDER = pathlib.Path(__file__).parent
NAMES = sorted(path.stem for path in FOLDER.glob("[!_]*.py"))


def losses(printed: str) -> list[float]:
    """The numbers on the lines that begin with "loss"."""
    return [float(line.split()[1]) for line in printed.splitlines() if line.startswith("loss ")]
