"""A profile's tables as plain columns, which data frames, SQL and files of values are made of: one function a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..table.columns import MEMORY
from ..views import tree
from ..views.cpu_time import cpu_ns, self_cpu_ns
from ..views.digest import Digest
from ..views.op_table import KINDS, row_kinds, shape_texts
from ..views.steps import PHASES, step_of
from .event_list import EventList

Column = np.ndarray | list
NOT_IN_A_STEP = -1


def events(digest: Digest) -> dict[str, Column]:
    """All events as events() shows them: a row each."""
    visible, table = digest.visible, digest.visible.table
    words, number = visible.keys
    shapes, texts = shape_texts(table)
    threads = {thread.index: thread for thread in table.threads}
    ids, parent, ran_ns = table["id"], table["parent"], cpu_ns(table)
    return {
        "id": ids, "name": _chosen(words, number), "kind": _chosen(KINDS, row_kinds(table)),
        "start_ns": table["start_ns"], "end_ns": table["end_ns"], "duration_ns": table["end_ns"] - table["start_ns"],
        "self_ns": visible.self_ns, "parent": np.append(ids, NOT_IN_A_STEP)[parent], "depth": tree.depths(parent),
        "thread": table["thread"], "thread_name": _of_threads(table["thread"], threads, lambda thread: thread.name),
        "pid": np.array(_of_threads(table["thread"], threads, table.pid_of), np.int64),
        "step": step_of(digest.steps, table["start_ns"]), "sequence": table["sequence"],
        "cpu_ns": ran_ns,
        "self_cpu_ns": self_cpu_ns(table, ran_ns),
        "shapes": _chosen(texts, shapes), "self_bytes": visible.self_bytes, "total_bytes": visible.total_bytes,
        "self_device_ns": visible.device.self_ns, "total_device_ns": visible.device.total_ns, "flops": table["flops"],
        "module": digest.module_at(table["thread"], table["start_ns"]),
    }


def _chosen(texts: Sequence[str], numbers: np.ndarray) -> list[str]:
    return [texts[number] for number in numbers.tolist()]


def _of_threads(numbers: np.ndarray, threads: dict, fact: Callable) -> list:
    known = {number: fact(thread) for number, thread in threads.items()}
    return [known.get(number, "" if not known else type(next(iter(known.values())))()) for number in numbers.tolist()]


def ops(digest: Digest) -> dict[str, Column]:
    """Sums by name: a row for each op, range and function, and how its time is spread over calls and over steps."""
    rows = digest.ops()
    plain = ("name", "kind", "count", "self_ns", "self_cpu_ns", "total_ns", "self_bytes", "total_bytes", "flops")
    spread = ("least", "median", "p95", "greatest")
    columns = {field: [getattr(row, field) for row in rows] for field in plain}
    for over in ("calls", "steps"):
        columns |= {f"{over}_{place}_ns": [getattr(getattr(row, over), place) for row in rows] for place in spread}
    return columns


def steps(digest: Digest) -> dict[str, Column]:
    """Steps, and what each spends its time on."""
    rows = digest.steps
    columns = {"name": [step.name for step in rows], "thread": [step.thread for step in rows],
               "start_ns": [step.start_ns for step in rows], "end_ns": [step.end_ns for step in rows]}
    return columns | {f"{phase}_ns": [getattr(step, phase) for step in rows] for phase in ("wall", *PHASES)}


def modules(digest: Digest) -> dict[str, Column]:
    """Modules by their qualified names; of profiles that were taken with_modules."""
    table = digest.module_table
    fields = ("path", "kind", "depth", "calls", "parameters", "forward", "self_forward", "backward", "optimizer",
              "allocated_bytes", "kept_bytes", "flops")
    named = {field: f"{field}_ns" if field in ("forward", "self_forward", "backward", "optimizer") else field
             for field in fields}
    return {named[field]: [getattr(row, field) for row in table.rows] for field in fields}


def threads(digest: Digest) -> dict[str, Column]:
    """Threads: how long they were busy, and how much of that they waited."""
    rows = digest.threads
    return {field: [getattr(row, field) for row in rows]
            for field in ("index", "name", "os_id", "pid", "events", "ops", "busy_ns", "waiting_ns", "cpu_ns")}


def memory(digest: Digest) -> dict[str, Column]:
    """Every allocation and release."""
    table = digest.table
    return {column.name: table.memory[column.name] for column in MEMORY}


def averages(rows: EventList) -> dict[str, Column]:
    """Rows of key_averages(), with its own numbers: microseconds and bytes."""
    fields = ("count", "self_cpu_time_total", "cpu_time_total", "self_device_time_total", "device_time_total",
              "self_cpu_memory_usage", "cpu_memory_usage", "flops")
    columns: dict[str, Column] = {"name": [row.key for row in rows],
                                  "shapes": ["" if not row.input_shapes else str(row.input_shapes) for row in rows]}
    return columns | {field: [getattr(row, field) for row in rows] for field in fields}


# The tables that are worked out of a digest; averages come from key_averages().
TABLES: dict[str, Callable[[Digest], dict[str, Column]]] = {
    "events": events, "ops": ops, "steps": steps, "modules": modules, "threads": threads, "memory": memory}
AVERAGES = "averages"
EVERY_TABLE = (*TABLES, AVERAGES)
