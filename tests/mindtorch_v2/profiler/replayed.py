"""Recordings made by hand: torch's own trace as our recorder would have written it, and small invented ones."""

from __future__ import annotations

import numpy as np

from mindtorch_v2.profiler.views.inputs import CPP_TYPES
from mindtorch_v2.record.layout import MEMORY, ROW, TENSOR
from mindtorch_v2.record.names import Names, Words
from mindtorch_v2.record.objects import Objects
from mindtorch_v2.record.recorder import Recording, ThreadRows
from mindtorch_v2.record.vocabulary import Vocabulary

names, inputs = Names(), Words()  # of all recordings made here
DTYPES = {cpp: name for name, cpp in CPP_TYPES.items()}


def number(text: str):
    """A concrete input of a trace as a row remembers it."""
    if text.startswith("["):
        return ("[]", *[number(part) for part in text[1:-1].split(", ") if part])
    if text in ("True", "False"):
        return ("bool", text == "True")
    return int(text) if text.lstrip("-").isdigit() else ("float", float(text))


def described(args: dict) -> tuple:
    """The inputs of a call in a trace, as a row remembers them."""
    found = []
    for kind, dims, strides, concrete in zip(args["Input type"], args["Input Dims"], args["Input Strides"],
                                             args["Concrete Inputs"]):
        if kind in DTYPES:
            found.append((tuple(dims), DTYPES[kind], tuple(strides)))
        elif kind == "TensorList":
            found.append(("[]", *[(tuple(d), "float32", tuple(s)) for d, s in zip(dims, strides)]))
        else:
            found.append(number(concrete) if kind else None)
    return tuple(found)


def recording_of(facts: dict) -> Recording:
    """torch's trace as one thread's rows; a call's parent is the last one still open."""
    made, open_calls = [], []
    for name, category, start, length, args in facts["calls"]:
        while open_calls and made[open_calls[-1]][1] < start + length:
            open_calls.pop()
        scope = 7 if category == "user_annotation" else 1 if is_node(name) else 0
        given = inputs.number(described(args)) if "Input type" in args else -1
        made.append((start, start + length, args.get("Sequence number", -1), names.number(name),
                     open_calls[-1] if open_calls else -1, given, args.get("Fwd thread id", 0), scope, 0))
        open_calls.append(len(made) - 1)
    memory = [(time, address, change, innermost(made, time)) for time, address, change, _ in sorted(facts["memory"])]
    return recording(made, memory)


def is_node(name: str) -> bool:
    return not name.startswith("autograd::engine") and (name.endswith("Backward0") or name.endswith("AccumulateGrad"))


def innermost(made: list[tuple], time: int) -> int:
    return max((i for i, row in enumerate(made) if row[0] <= time <= row[1]), default=-1)


def recording(*threads_and_memory, end_ns: int | None = None) -> Recording:
    """A recording of threads, each given as its rows (with the parent's place) and its memory rows."""
    threads = [ThreadRows(i + 1, 1000 + i, f"thread-{i}", 0, as_rows(made), as_memory(memory), np.zeros(0, TENSOR))
               for i, (made, memory) in enumerate(zip(threads_and_memory[::2], threads_and_memory[1::2]))]
    ends = [int(t.rows["end_ns"].max(initial=0)) for t in threads]
    return Recording(0, max(ends) if end_ns is None else end_ns, 0, 4242, 0, threads,
                     Vocabulary(names.copy(), names.declared), Vocabulary(inputs.copy()), Objects())


def as_rows(made: list[tuple]) -> np.ndarray:
    """Rows that know their parent by the distance back to it."""
    return np.array([(*row[:4], i - row[4] if row[4] >= 0 else 0, *row[5:]) for i, row in enumerate(made)], ROW)


def as_memory(changes: list[tuple]) -> np.ndarray:
    """Memory rows from (time, address, change, event); a release is seen if its allocation stands before it."""
    made, alive = [], set()
    for time, address, change, event in changes:
        seen = change > 0 or address in alive
        (alive.add if change > 0 else alive.discard)(address)
        made.append((time, address * 2 + seen, change, event + 1))
    return np.array(made, MEMORY)


def calls(*spans: tuple) -> list[tuple]:
    """Rows from (name, start, end, parent), with an optional scope behind them."""
    return [(start, end, -1, names.number(name), parent, -1, 0, scope[0] if scope else 0, 0)
            for name, start, end, parent, *scope in spans]
