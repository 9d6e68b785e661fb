"""What torch did in the cases of tools/record_overrides.py, and the rows of a call here."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import mindtorch_v2.profiler as profiler

FACTS = json.loads(gzip.decompress((Path(__file__).parent / "data" / "overrides.json.gz").read_bytes()))


def tree(case) -> tuple[list, object]:
    """The rows of a call, each with its depth, and what came of it."""
    with profiler.profile() as prof:
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


def as_json(value):
    """A value as it comes back from a file."""
    return json.loads(json.dumps(value))
