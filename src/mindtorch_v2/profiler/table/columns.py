"""The declared columns of a profile: name, type, and one line that is also its documentation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

BLOCK = 1 << 14  # rows looked at together: few enough to stay in the cache


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
    Column("scope", "i4", "Kind of caller: 0 an op, 1 a backward node, 7 a user's range, from 32 on a Python call."),
    Column("flags", "i4", "Bits: 1 it had not ended when the profile did, 2 memory that no event is charged with."),
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

# What events were given and whom they called. Events are named by their ids: these columns stay right when rows are
# picked, put in another order or joined.
TENSORS = (
    Column("event", "i8", "Id of the event that was given the tensor."),
    Column("slot", "i4", "The how-manieth tensor it is among the event's inputs, lists opened."),
    Column("tensor", "i8", "Identity of the tensor object."),
    Column("storage", "i8", "Address of its storage; 0 where it has no memory. On a device, above bit 48: torch's "
                            "number of the kind of device times 1024, plus the number of the device."),
)

MODULE_CALLS = (
    Column("event", "i8", "Id of the call of a module."),
    Column("module", "i4", "Number of the module in the list of modules."),
)

OPTIMIZER_CALLS = (
    Column("event", "i8", "Id of the call that steps an optimizer."),
    Column("optimizer", "i4", "Number in the list of optimizers, each as it was at a step."),
)

# What ran on a device's own queue, and memory of devices that came or went.
DEVICE_ACTIVITY = (
    Column("correlation", "i8", "Number of the launch, unique within the process."),
    Column("launch_ns", "i8", "When it was put on its queue, on the recorder's clock."),
    Column("start_ns", "i8", "When it began to run, brought onto the recorder's clock."),
    Column("end_ns", "i8", "When it had run."),
    Column("event", "i8", "Id of the op or range that launched it; 0 for none."),
    Column("thread", "i4", "Small number of the launching thread."),
    Column("device_type", "i4", "torch's number of the kind of device: 1 CUDA, 12 XPU, 20 one of the program's own."),
    Column("device_index", "i4", "Number of the device among those of its kind."),
    Column("queue", "i8", "Number of the queue (stream) it ran on."),
    Column("kind", "i4", "0 a kernel, 1 a copy of memory, 2 memory that is set."),
    Column("name", "i4", "Number of its name in the table of names."),
    Column("bytes", "i8", "Bytes that were copied or set; 0 where nobody said."),
)

DEVICE_MEMORY = (
    Column("time_ns", "i8", "When memory of a device was allocated or released, on the recorder's clock."),
    Column("address", "i8", "Where the block begins."),
    Column("change", "i8", "Bytes allocated (positive) or released (negative)."),
    Column("total", "i8", "Bytes alive on the device after the change."),
    Column("event", "i8", "Id of the innermost op or range at that moment on that thread; 0 for none."),
    Column("thread", "i4", "Small number of the thread."),
    Column("device_type", "i4", "torch's number of the kind of device."),
    Column("device_index", "i4", "Number of the device among those of its kind."),
)

# Calls of modules by their qualified names, which are no events.
MODULE_RANGES = (
    Column("start_ns", "i8", "When the module was called, on the recorder's clock."),
    Column("end_ns", "i8", "When the call ended."),
    Column("thread", "i4", "Small number of the thread."),
    Column("name", "i4", "Number of a name that says, with U+001F between: its class, how many trained parameters of "
                         "its own it has, the module that was called first, and its path from there."),
)

# How long threads had run on a processor: between two moments of a thread, evenly.
CPU_TIMES = (
    Column("time_ns", "i8", "When it was read, on the recorder's clock."),
    Column("cpu_ns", "i8", "How long the thread had run on a processor since it began."),
    Column("thread", "i4", "Small number of the thread."),
)

UNFINISHED, OF_MEMORY, OF_DEVICE = 1, 2, 4
USER_SCOPE = 7
PYTHON_SCOPE, MODULE_CALL, GARBAGE_COLLECTION, MODULE_RANGE = 32, 34, 35, 36  # from 32 on: what Python does, not ops
CPU_TIME = 37  # and what no event is made of


def blank(columns: tuple[Column, ...], n: int = 0) -> dict[str, np.ndarray]:
    """Zeroed arrays for all columns."""
    return {c.name: np.zeros(n, c.dtype) for c in columns}


def row_type(columns: tuple[Column, ...]) -> np.dtype:
    """All columns side by side, for arrays of whole rows."""
    return np.dtype([(c.name, c.dtype) for c in columns])


class Columns(Mapping):
    """Arrays by name. ``make`` works one out when it is first asked for as a whole; many questions need only blocks."""

    def __init__(self, declared: tuple[Column, ...], n_rows: int):
        self.types = {c.name: c.dtype for c in declared}
        self.n_rows = n_rows
        self._made: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        column = self._made.get(name)
        if column is None:
            column = self._made[name] = np.ascontiguousarray(self.make(name), self.types[name])
        return column

    def __iter__(self) -> Iterator[str]:
        return iter(self.types)

    def __len__(self) -> int:
        return len(self.types)

    def make(self, name: str) -> np.ndarray:
        """The whole column."""
        raise NotImplementedError

    def at(self, name: str, rows: np.ndarray) -> np.ndarray:
        """The column's values in the given rows."""
        return self[name][rows]

    def block(self, names: tuple[str, ...], first: int, stop: int) -> list[np.ndarray]:
        """Columns from one row of a run up to another."""
        return [self[name][first:stop] for name in names]

    def runs(self) -> Iterator[tuple[int, int]]:
        """Stretches of rows of one thread, in which all parents lie."""
        if self.n_rows:
            edges = (np.flatnonzero(np.diff(self["thread"])) + 1).tolist()
            yield from zip([0, *edges], [*edges, self.n_rows])


class Given(Columns):
    """Columns handed in as arrays: each must be there, once, and all of one length."""

    def __init__(self, declared: tuple[Column, ...], arrays: Mapping):
        wanted = {c.name for c in declared}
        if wanted != set(arrays):
            missing, unknown = sorted(wanted - set(arrays)), sorted(set(arrays) - wanted)
            raise ValueError(f"columns missing: {missing}; unknown: {unknown}")
        lengths = {name: len(array) for name, array in arrays.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"columns differ in length: {lengths}")
        super().__init__(declared, next(iter(lengths.values())))
        self._arrays = arrays

    def make(self, name: str) -> np.ndarray:
        return self._arrays[name]


class Picked(Columns):
    """Rows of other columns in another order; ``changed`` are columns that are new."""

    def __init__(self, source: Columns, rows: np.ndarray, **changed: np.ndarray):
        super().__init__((), len(rows))
        self.types = source.types
        self._source, self._rows = source, rows
        self._made.update(changed)

    def make(self, name: str) -> np.ndarray:
        return self._source[name][self._rows]

    def at(self, name: str, rows: np.ndarray) -> np.ndarray:
        return self._made[name][rows] if name in self._made else self._source.at(name, self._rows[rows])


class Appended(Columns):
    """Other columns, and further rows behind them."""

    def __init__(self, source: Columns, further: dict[str, np.ndarray]):
        super().__init__((), source.n_rows + len(next(iter(further.values()))))
        self.types = source.types
        self._source, self._further = source, further

    def make(self, name: str) -> np.ndarray:
        return np.concatenate([self._source[name], self._further[name]])
