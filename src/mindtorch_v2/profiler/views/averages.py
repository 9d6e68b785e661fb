"""Averages by key: a group-by over columns, and one FunctionEventAvg per group."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..table.columns import PYTHON_SCOPE, USER_SCOPE
from ..table.event_table import EventTable
from ..table.words import overload
from . import inputs
from .device_groups import DeviceGroup, device_groups
from .device_type import DeviceType
from .events import Events
from .function_event import FormattedTimesMixin, FunctionEvent
from .innermost import Innermost
from .visible_events import MEMORY_EVENT_NAME, VisibleEvents
from .walk import Group

# What a sum over events adds up, in torch's order.
SUMMED = ("cpu_time_total", "device_time_total", "self_cpu_time_total", "self_device_time_total", "cpu_memory_usage",
          "device_memory_usage", "self_cpu_memory_usage", "self_device_memory_usage", "count")
# What a group takes from its first event.
DESCRIBED = ("key", "node_id", "is_async", "is_remote", "cpu_parent", "cpu_children", "overload_name", "input_shapes",
             "stack", "scope", "device_type", "is_legacy", "use_device", "is_user_annotation")


class FunctionEventAvg(FormattedTimesMixin):
    """Sums over events of one key."""

    __module__ = "mindtorch_v2.autograd.profiler_util"

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
            self._describe(other)
        if other.key != self.key:
            raise AssertionError(f"Expected keys to match, but got {other.key} vs {self.key}")
        for name in SUMMED:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        if self.flops is None:
            self.flops = other.flops
        elif other.flops is not None:
            self.flops += other.flops
        return self

    def _describe(self, other) -> None:
        """Say of itself, beside its sums, what another says."""
        for name in DESCRIBED:
            setattr(self, name, getattr(other, name))

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
        """The family of a group's first event, and the frames of its stack, are looked up when somebody asks."""
        if name in ("cpu_children", "cpu_parent") and "_first" in vars(self):
            value = vars(self)[name] = getattr(_first_event(*self._first), name)
            return value
        if name == "stack" and "_stack" in vars(self):
            innermost, number = self._stack
            value = vars(self)[name] = innermost.frames(number)
            return value
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


def _first_event(events: Events, row: int) -> FunctionEvent:
    """The event of a row of the source; memory outside events has no row there, its events have no family."""
    if row < len(events.visible.source):
        return events.event(int(events.visible.place[row]))
    return next(event for event in map(events.event, range(len(events))) if event.key == MEMORY_EVENT_NAME)


def frames_shown(rows: list) -> set[str]:
    """Every frame in the stacks of averages or events; those that nobody has looked at are not written out."""
    words: set[str] = set()
    unread: dict[int, tuple[Callable[[list[int]], set[str]], list[int]]] = {}
    for row in rows:
        fields = vars(row)
        if "stack" not in fields and "_stack" in fields:
            innermost, number = row._stack
            unread.setdefault(id(innermost), (innermost.words_of, []))[1].append(number)
        elif "stack" not in fields and "_source" in fields:
            source = row._source
            unread.setdefault(id(source), (source.visible.frames_of, []))[1].append(source.stack_number(row._row))
        else:
            words.update(row.stack or ())
    return words.union(*(frames_of(numbers) for frames_of, numbers in unread.values()))


def averages(events: Events, by_shape: bool, by_stack: int, by_overload: bool) -> list[FunctionEventAvg]:
    """One sum per group, in the order in which the groups first appear."""
    visible = events.visible
    walk = visible.walk(by_inputs=by_shape, by_stack=by_stack > 0)
    groups = sorted(walk.groups.values(), key=lambda group: (group.first_ns, group.first_row))
    scopes = _first_scopes(visible.source, groups)
    described = Described(visible, by_shape, by_overload)
    innermost = Innermost(visible.source, walk.frames, by_stack)
    stacks = innermost.numbers()
    averaged: dict[tuple, FunctionEventAvg] = {}
    first_ns: dict[tuple, int] = {}
    for group, scope in zip(groups, scopes):
        word, shapes, overload = described.facts(group)
        key = (word, group.user, str(shapes), int(stacks[group.stack]), overload, DeviceType.CPU.value)
        if key not in averaged:
            averaged[key] = _average(word, scope, shapes, overload, (innermost, group.stack), (events, group.first_row))
            averaged[key].use_device, first_ns[key] = events.use_device, group.first_ns
        _count(averaged[key], group)
    for group in device_groups(visible, by_shape, by_stack > 0) if visible.device.has_any else ():
        word, shapes, overload = described.facts(group)
        key = (word, group.user, str(shapes), int(stacks[group.stack]), overload, group.device_type)
        if key not in averaged:
            averaged[key] = _average(word, 0, shapes, overload, (innermost, group.stack), (events, len(visible.source)))
            averaged[key].use_device, first_ns[key] = events.use_device, group.first_ns
        _count_device(averaged[key], group)
        first_ns[key] = min(first_ns[key], group.first_ns)
    return [_in_us(averaged[key]) for key in sorted(averaged, key=first_ns.__getitem__)]


def _first_scopes(table: EventTable, groups: list[Group]) -> list[int]:
    """The scope of each group's first row; memory's own has no row, and Python's calls have torch's 0."""
    rows = np.array([group.first_row for group in groups], np.int64)
    scopes = np.zeros(len(rows), np.int64)
    recorded = rows < len(table)
    scopes[recorded] = table.events.at("scope", rows[recorded])
    return np.where(scopes < PYTHON_SCOPE, scopes, 0).tolist()


class Described:
    """What tells groups apart beside their stacks, as far as it was asked for: name, shapes, overload."""

    def __init__(self, visible: VisibleEvents, by_shape: bool, by_overload: bool):
        self._visible, self._by_shape, self._by_overload = visible, by_shape, by_overload

    def facts(self, group: Group) -> tuple[str, list | str, str]:
        table, (words, number) = self._visible.source, self._visible.words
        shapes: list | str = ""
        if self._by_shape:
            shapes = inputs.shapes(table.inputs[group.inputs]) if group.inputs >= 0 else []
        has_overload = self._by_overload and group.name < len(table.names)
        return words[number[group.name]], shapes, overload(table.names[group.name]) if has_overload else ""


def _average(word: str, scope: int, shapes, overload: str, stack: tuple, first: tuple) -> FunctionEventAvg:
    average = FunctionEventAvg()
    fields = vars(average)
    for looked_up in ("cpu_children", "cpu_parent", "stack"):
        del fields[looked_up]
    fields.update(key=word, node_id=-1, scope=scope, is_user_annotation=scope == USER_SCOPE, input_shapes=shapes,
                  overload_name=overload, _stack=stack, _first=first)
    return average


def _count(average: FunctionEventAvg, group: Group) -> None:
    """Add a group's sums; times are still in nanoseconds, so that nothing is lost on the way."""
    average.count += group.count
    average.cpu_time_total += group.total_ns
    average.self_cpu_time_total += group.self_ns
    average.cpu_memory_usage += group.total_bytes
    average.self_cpu_memory_usage += group.self_bytes
    average.flops += group.flops


def _count_device(average: FunctionEventAvg, group: DeviceGroup) -> None:
    """The same of what devices did."""
    average.count += group.count
    average.device_time_total += group.total_ns
    average.self_device_time_total += group.self_ns
    average.device_memory_usage += group.total_bytes
    average.self_device_memory_usage += group.self_bytes
    if group.device_type != DeviceType.CPU.value:
        average.device_type = DeviceType(group.device_type)
        average.cpu_children, average.cpu_parent = [], None


def _in_us(average: FunctionEventAvg) -> FunctionEventAvg:
    for name in ("cpu_time_total", "self_cpu_time_total"):
        setattr(average, name, getattr(average, name) / 1000)
    if average.device_time_total:
        average.device_time_total /= 1000
        average.self_device_time_total /= 1000
    return average
