"""Short ways to ask a profile what it shows."""

from __future__ import annotations

import warnings

import mindtorch_v2 as torch
from mindtorch_v2.profiler import schedule


def names(prof) -> list[str]:
    return [event.name for event in prof.events()]


def count(prof, name: str) -> int:
    return sum(row.count for row in prof.key_averages() if row.key == name)


def row_of(rows, key: str):
    return next(row for row in rows if row.key == key)


def cycle(**arguments):
    """A schedule without torch's advice to warm up."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return schedule(**arguments)


def some_ops(times: int = 1) -> None:
    for _ in range(times):
        torch.ones(2, 3).mm(torch.ones(3, 4)).sum()
