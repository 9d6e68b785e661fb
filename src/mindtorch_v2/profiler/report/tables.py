"""Tables of a page as lists of rows: steps, ops, modules, threads, findings, and what changed from another profile."""

from __future__ import annotations

from collections.abc import Iterable

from ..views.difference import DifferenceRow, difference
from ..views.digest import Digest
from ..views.findings.catalogue import findings
from ..views.op_table import OpRow
from ..views.steps import PHASES, summary

MOST_ROWS = 4000  # of a table; those beyond are the shortest


def steps_data(digest: Digest) -> dict:
    """Every step by phase, and how the phases are spread."""
    start_ns = digest.table.window.start_ns
    rows = [[step.name, step.start_ns - start_ns, step.wall, *(getattr(step, phase) for phase in PHASES)]
            for step in digest.steps]
    return {"phases": PHASES, "rows": rows, "spread": {name: list(spread) for name, spread in
                                                       summary(digest.steps).items()}}


def ops_data(digest: Digest) -> dict:
    """The op table in every grouping for which there is something to group by."""
    window = digest.table.window
    groupings = {"name": (False, False), "shapes": (True, False), "stack": (False, True)}
    is_there = {"name": True, "shapes": window.record_shapes, "stack": window.with_stack}
    return {name: _ops(digest.ops(*wanted)) for name, wanted in groupings.items() if is_there[name]}


def _ops(rows: list[OpRow]) -> dict:
    shown = [[row.name, row.kind, row.shapes, row.stack, int(row.waits), row.own_ns, row.total_ns, row.self_bytes,
              row.total_bytes, row.self_device_ns, row.total_device_ns, row.flops, *row.calls, *row.steps[2:],
              row.self_cpu_ns]
             for row in rows[:MOST_ROWS]]
    return {"rows": shown, "more": max(len(rows) - MOST_ROWS, 0)}


def modules_data(digest: Digest) -> dict | None:
    """The module table; None of a profile without modules."""
    if not digest.table.module_ranges.n_rows:
        return None
    table = digest.module_table
    return {"rows": [list(row) for row in table.rows], "other": table.other, "total": table.total}


def threads_data(digest: Digest) -> list[list]:
    return [[row.name, row.os_id, row.pid, row.events, row.ops, row.busy_ns, row.waiting_ns, int(row.only_waits),
             row.cpu_ns] for row in digest.threads]


def findings_data(digest: Digest) -> list[dict]:
    return [finding._asdict() for finding in findings(digest)]


def difference_data(before: Digest, after: Digest) -> dict:
    """What changed, phase by phase and row by row."""
    change = difference(before, after)
    return {"phases": _changes(change.phases), "rows": _changes(change.rows[:MOST_ROWS]),
            "more": max(len(change.rows) - MOST_ROWS, 0),
            "steps": [len(before.steps), len(after.steps)]}


def _changes(rows: Iterable[DifferenceRow]) -> list[list]:
    return [[row.name, row.kind, row.shapes, *row.before, *row.after, row.error_ns, int(row.is_sure)] for row in rows]
