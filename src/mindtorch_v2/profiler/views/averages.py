"""Averages by key: a group-by over columns, and one FunctionEventAvg per group."""

from __future__ import annotations

import numpy as np

from ..table.columns import USER_SCOPE
from . import inputs
from .device_type import DeviceType
from .events import Events
from .function_event import FormattedTimesMixin, FunctionEvent

# What a sum over events adds up, in torch's order.
SUMMED = ("cpu_time_total", "device_time_total", "self_cpu_time_total", "self_device_time_total", "cpu_memory_usage",
          "device_memory_usage", "self_cpu_memory_usage", "self_device_memory_usage", "count")
# What a group takes from its first event.
DESCRIBED = ("key", "node_id", "is_async", "is_remote", "cpu_parent", "cpu_children", "overload_name", "input_shapes",
             "stack", "scope", "device_type", "is_legacy", "use_device", "is_user_annotation")


class FunctionEventAvg(FormattedTimesMixin):
    """Sums over events of one key."""

    def __init__(self) -> None:
        self.key = None
        self.count = self.node_id = 0
        self.is_async = self.is_remote = False
        self.use_device = None
        self.cpu_time_total = self.device_time_total = self.self_cpu_time_total = self.self_device_time_total = 0
        self.input_shapes = self.overload_name = self.stack = self.scope = None
        self.cpu_memory_usage = self.device_memory_usage = 0
        self.self_cpu_memory_usage = self.self_device_memory_usage = 0
        self.cpu_children = self.cpu_parent = None
        self.device_type = DeviceType.CPU
        self.is_legacy = False
        self.flops = 0

    def add(self, other):
        """Count another event, or another sum of the same key."""
        if not isinstance(other, (FunctionEvent, FunctionEventAvg)):
            raise AssertionError("Expected other to be a FunctionEvent or FunctionEventAvg")
        if self.key is None:
            for name in DESCRIBED:
                setattr(self, name, getattr(other, name))
        if other.key != self.key:
            raise AssertionError(f"Expected keys to match, but got {other.key} vs {self.key}")
        for name in SUMMED:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        if self.flops is None:
            self.flops = other.flops
        elif other.flops is not None:
            self.flops += other.flops
        return self

    def __iadd__(self, other):
        return self.add(other)

    def __repr__(self):
        return (f"<FunctionEventAvg key={self.key} self_cpu_time={self.self_cpu_time_total_str} "
                f"cpu_time={self.cpu_time_str}  self_{self._device}_time={self.self_device_time_total_str} "
                f"{self._device}_time={self.device_time_str} input_shapes={self.input_shapes} "
                f"cpu_memory_usage={self.cpu_memory_usage} {self._device}_memory_usage={self.device_memory_usage}>")

    @property
    def _device(self) -> str:
        return self.use_device or "cuda"

    def __getattr__(self, name):
        """The family of a group's first event is looked up only when somebody asks."""
        if name in ("cpu_children", "cpu_parent") and "_first" in vars(self):
            events, row = self._first
            value = vars(self)[name] = getattr(events.event(row), name)
            return value
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __getstate__(self):
        family = {name: getattr(self, name) for name in ("cpu_children", "cpu_parent")}
        return {k: v for k, v in {**vars(self), **family}.items() if k != "_first"}

    def __setstate__(self, state):
        vars(self).update(state)


def averages(events: Events, by_shape: bool, by_stack: int, by_overload: bool) -> list[FunctionEventAvg]:
    """One sum per group, in the order in which the groups first appear."""
    shown = events.shown
    if not len(shown):
        return []
    codes = [shown.keys[1], (shown.table["scope"] == USER_SCOPE).astype(np.int64)]
    if by_shape:
        codes.append(_numbered(shown.table["inputs"], lambda n: repr(_shapes(shown.table, n))))
    if by_overload:
        codes.append(_numbered(shown.table["name"], lambda n: shown.table.names[n][1]))
    first, group = _grouped(codes)
    counts = np.bincount(group).tolist()
    sums = [np.bincount(group, column).astype(np.int64).tolist()
            for column in (shown.total_ns, shown.self_ns, shown.total_bytes, shown.self_bytes, shown.table["flops"])]
    made = []
    for number, row in enumerate(first.tolist()):
        total_ns, self_ns, total_bytes, self_bytes, flops = (s[number] for s in sums)
        average = FunctionEventAvg()
        fields = vars(average)
        del fields["cpu_children"], fields["cpu_parent"]
        scope = events.scope[row]
        fields.update(
            _first=(events, row), key=events.words[events.keys[row]], count=counts[number], node_id=-1,
            cpu_time_total=total_ns / 1000, self_cpu_time_total=self_ns / 1000, cpu_memory_usage=total_bytes,
            self_cpu_memory_usage=self_bytes, flops=flops, scope=scope, is_user_annotation=scope == USER_SCOPE,
            input_shapes=_shapes(shown.table, events.inputs[row]) if by_shape else "", stack=[],
            overload_name=events.names[events.name[row]][1] if by_overload else "")
        made.append(average)
    return made


def _shapes(table, number: int) -> list:
    return inputs.shapes(table.inputs[number]) if number >= 0 else []


def _numbered(column: np.ndarray, word) -> np.ndarray:
    """A column of numbers as numbers of their words; each distinct number is put into words once."""
    used, place = np.unique(column, return_inverse=True)
    words: dict = {}
    return np.array([words.setdefault(word(n), len(words)) for n in used.tolist()], np.int64)[place]


def _grouped(codes: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Per group its first row, groups in order of first rows; and each row's group."""
    code = codes[0].astype(np.int64)
    for other in codes[1:]:
        _, code = np.unique(code * (int(other.max()) + 1) + other, return_inverse=True)
    _, first, group = np.unique(code, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return first[order], rank[group]
