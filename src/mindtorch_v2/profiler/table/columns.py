"""The declared columns of a profile: name, type, and one line that is also its documentation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Column(NamedTuple):
    """One column: how it is called, what it holds, what it means."""

    name: str
    dtype: str
    doc: str


EVENTS = (
    Column("id", "i8", "Number of the event, unique within the process."),
    Column("start_ns", "i8", "When the event began, on the recorder's clock."),
    Column("end_ns", "i8", "When it ended; the end of the profile where it never did."),
    Column("sequence", "i8", "Autograd's sequence number, shared by a forward op and its backward node; -1 for none. "
                             "For a Python call, -2 less the line it was called from."),
    Column("name", "i4", "Number of its name and overload in the table of names."),
    Column("parent", "i4", "Row of the event it was called from, or -1."),
    Column("inputs", "i4", "Number of its described inputs in the table of inputs, or -1."),
    Column("thread", "i4", "Small number of the thread it ran on."),
    Column("forward_thread", "i4", "For a backward node, the thread its forward op ran on; else 0."),
    Column("scope", "i4", "Kind of caller: 0 an op, 1 a backward node, 7 a range of the user's."),
    Column("flags", "i4", "Bits: 1 it had not ended when the profile did, 2 it stands for memory outside any event."),
    Column("record", "i8", "torch's number of the call while an execution trace is observed; else 0."),
    Column("flops", "i8", "Floating-point operations, where they were asked for and are known; else 0."),
)

MEMORY = (
    Column("time_ns", "i8", "When memory was allocated or released, on the recorder's clock."),
    Column("address", "i8", "Where the block begins."),
    Column("change", "i8", "Bytes allocated (positive) or released (negative)."),
    Column("total", "i8", "Bytes alive in the process after the change."),
    Column("event", "i4", "Row of the innermost event at that moment on that thread, or -1."),
    Column("thread", "i4", "Small number of the thread."),
    Column("seen", "i1", "1 unless a block is released whose allocation no memory profile saw."),
)

UNFINISHED, OF_MEMORY = 1, 2
USER_SCOPE = 7


def blank(columns: tuple[Column, ...], n: int = 0) -> dict[str, np.ndarray]:
    """Zeroed arrays for all columns."""
    return {c.name: np.zeros(n, c.dtype) for c in columns}


def checked(columns: tuple[Column, ...], given: dict) -> dict[str, np.ndarray]:
    """The given arrays in their declared types; every column must be there, once, and all of one length."""
    wanted = {c.name for c in columns}
    if wanted != set(given):
        raise ValueError(f"columns missing: {sorted(wanted - set(given))}; unknown: {sorted(set(given) - wanted)}")
    arrays = {c.name: np.ascontiguousarray(given[c.name], c.dtype) for c in columns}
    lengths = {name: len(a) for name, a in arrays.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"columns differ in length: {lengths}")
    return arrays
