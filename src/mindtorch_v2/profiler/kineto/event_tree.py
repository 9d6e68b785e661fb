"""torch's event tree on the table: a node is made once, when somebody comes to it, and reads its fields when asked."""

from __future__ import annotations

import numpy as np

from ...record.places import ADDRESS, ADDRESS_BITS
from ..table.cached_property import cached_property
from ..table.columns import UNFINISHED
from ..table.words import overload
from ..views import inputs as described_inputs
from ..views import tree
from ..views.record_scope import LINE_BASE, PYTHON_CALL, RecordScope
from ..views.visible_events import MEMORY_EVENT_NAME
from . import fields
from .device_nodes import DeviceNodes
from .fields import _PyFrameState, _TensorMetadata
from .identity import NO_ALLOCATION
from .kinds import OF_SCOPE, _EventType
from .recorded import Recorded
from .tensor_types import types

NO_FRAME = _PyFrameState(0, "", "")


class _ProfilerEvent:
    """One node of the tree."""

    __slots__ = ("__weakref__", "_kept", "_node", "_tree")

    def __init__(self, owner: EventTree, node: int):
        self._tree, self._node, self._kept = owner, node, None

    id = property(lambda self: self._tree.first_id + self._node)
    name = property(lambda self: self._tree.name(self._node))
    overload_name = property(lambda self: self._tree.overload(self._node))
    tag = property(lambda self: self._tree.tags[self._node])
    start_time_ns = property(lambda self: self._tree.start_ns[self._node])
    end_time_ns = property(lambda self: self._tree.end_ns[self._node])
    duration_time_ns = property(lambda self: self._tree.end_ns[self._node] - self._tree.start_ns[self._node])
    start_tid = property(lambda self: self._tree.thread[self._node])
    correlation_id = property(lambda self: self._tree.correlation_id(self._node))
    parent = property(lambda self: self._tree.above(self._node))
    children = property(lambda self: self._tree.below(self._node))

    @property
    def extra_fields(self):
        """What is known of this kind of node."""
        if self._kept is None:
            self._kept = self._tree.fields(self._node)
        return self._kept

    @property
    def typed(self) -> tuple:
        """The kind and its fields."""
        return self.tag, self.extra_fields

    def __reduce__(self):
        """A node is its place in the tree: it nests deeper than pickle can go."""
        return EventTree.node, (self._tree, self._node)

    def __repr__(self) -> str:
        return f"<{self.tag.name} {self.name}>"


def _ends(table) -> np.ndarray:
    """When rows end; one that was never closed ends with the row around it, as in torch's tree."""
    end_ns, parent = table["end_ns"], table["parent"]
    unfinished = np.flatnonzero((table["flags"] & UNFINISHED) > 0)
    if not len(unfinished):
        return end_ns
    end_ns = end_ns.copy()
    for row in unfinished.tolist():  # a parent stands before its children
        if parent[row] >= 0:
            end_ns[row] = min(end_ns[row], end_ns[parent[row]])
    return end_ns


def _column(name: str) -> cached_property:
    """A column of which single cells can be read as plain numbers, without making a list of all."""
    return cached_property(lambda self: memoryview(self.table[name]))


class EventTree:
    """All nodes: first the table's rows, then changes of memory, each under what was innermost at its time; then what
    devices were given to do, and did."""

    def __init__(self, recorded: Recorded):
        self.recorded, self.table, self.changes = recorded, recorded.table, recorded.changes
        self.rows = len(self.table)
        self.change_nodes = slice(self.rows, self.rows + self.changes.n_rows)
        self.of_device = DeviceNodes(self.table)
        self._made: dict[int, _ProfilerEvent] = {}

    def __reduce__(self):
        return EventTree, (self.recorded,)

    first_id = cached_property(lambda self: int(self.table["id"].min(initial=2**62)) if self.rows else 1)
    start_ns = cached_property(lambda self: memoryview(self._since_epoch(self.table["start_ns"],
                                                                         self.of_device.start_ns())))
    end_ns = cached_property(lambda self: memoryview(self._since_epoch(self._row_end_ns, self.of_device.end_ns())))
    thread = cached_property(lambda self: memoryview(np.r_[self.table["thread"], self.changes["thread"],
                                                           self.of_device.thread()]))
    _row_end_ns = cached_property(lambda self: _ends(self.table))
    scope, _names, _ids = _column("scope"), _column("name"), _column("id")
    _sequence, _inputs = _column("sequence"), _column("inputs")
    _memory = cached_property(lambda self: {name: memoryview(cells) for name, cells in self.changes.items()})
    _tensors = cached_property(lambda self: {name: memoryview(self.recorded.given[name].copy())
                                             for name in ("tensor", "storage")})
    _allocations = cached_property(lambda self: memoryview(self.recorded.numbers.of_given))
    _changed = cached_property(lambda self: memoryview(self.recorded.numbers.of_memory))
    # What inputs say by themselves, by their number: see _described.
    _shapes = cached_property(lambda self: {})
    _places = cached_property(lambda self: {})

    def _since_epoch(self, of_rows: np.ndarray, of_device: np.ndarray) -> np.ndarray:
        """Times of all nodes; a memory change begins and ends at its own."""
        return np.r_[of_rows, self.changes["time_ns"], of_device] + self.table.window.wall_offset_ns

    def began_ns(self, nodes: np.ndarray) -> np.ndarray:
        """When these nodes began, without looking at all others."""
        first_of_device = self.change_nodes.stop
        is_row, is_of_device = nodes < self.rows, nodes >= first_of_device
        is_change = ~is_row & ~is_of_device
        time_ns = np.empty(len(nodes), np.int64)
        time_ns[is_row] = self.table["start_ns"][nodes[is_row]]
        time_ns[is_change] = self.changes["time_ns"][nodes[is_change] - self.rows]
        time_ns[is_of_device] = self.of_device.start_ns()[nodes[is_of_device] - first_of_device]
        return time_ns + self.table.window.wall_offset_ns

    @cached_property
    def tags(self) -> list[_EventType]:
        """What each node is."""
        kinds = [OF_SCOPE.get(scope, _EventType.TorchOp) for scope in range(256)]
        return ([kinds[scope] for scope in self.scope] + [_EventType.Allocation] * self.changes.n_rows
                + [_EventType.Kineto] * len(self.of_device))

    @cached_property
    def parent(self) -> np.ndarray:
        """The node above each node, or -1."""
        return self._parent_of_each()

    def _parent_of_each(self) -> np.ndarray:
        rows, changes = self.table["parent"], self.changes["event"]
        if self._row_end_ns is not self.table["end_ns"]:  # what came after an end that was brought forward
            above, start_ns = np.r_[rows, changes], np.asarray(self.start_ns)[:self.change_nodes.stop]
            above = tree.open_parents(above, np.ones(self.rows, bool), start_ns, self._row_end_ns
                                      + self.table.window.wall_offset_ns)
            rows, changes = above[:self.rows], above[self.rows:]
        return np.r_[tree.containing_parents(rows, self._row_end_ns), changes,
                     self.of_device.parent(self.change_nodes.stop)].astype(np.int32)

    @cached_property
    def _parents(self) -> memoryview:
        return memoryview(self.parent)

    @cached_property
    def _children(self) -> tuple[memoryview, memoryview]:
        """Nodes by parent and, under one parent, by time; and where each parent's begin (roots first)."""
        order = np.lexsort((np.asarray(self.start_ns), self.parent))
        starts = np.searchsorted(self.parent[order], np.arange(-1, len(self.parent) + 1))
        return memoryview(order), memoryview(starts)

    @cached_property
    def _given_at(self) -> memoryview:
        """Where the tensors given to each row begin."""
        return memoryview(np.searchsorted(self.recorded.given["event"], np.arange(self.rows + 1)))

    def node(self, number: int) -> _ProfilerEvent:
        """The node of that number; always the same object."""
        node = self._made.get(number)
        if node is None:
            node = self._made.setdefault(number, _ProfilerEvent(self, number))
        return node

    def below(self, number: int) -> list[_ProfilerEvent]:
        """The children of a node in order of time; those of -1 are the roots."""
        order, at = self._children
        begin, end = at[number + 1], at[number + 2]
        return [self.node(child) for child in order[begin:end]] if begin < end else []

    def above(self, number: int) -> _ProfilerEvent | None:
        parent = self._parents[number]
        return None if parent < 0 else self.node(parent)

    def name(self, number: int) -> str:
        if number < self.rows:
            return self.table.names[self._names[number]][0]
        of_device = number - self.change_nodes.stop
        return MEMORY_EVENT_NAME if of_device < 0 else self.of_device.name(of_device)

    def overload(self, number: int) -> str:
        return overload(self.table.names[self._names[number]]) if number < self.rows and self.recorded.overloads else ""

    def correlation_id(self, number: int) -> int:
        if number >= self.change_nodes.stop:
            return self.of_device.correlation_id(number - self.change_nodes.stop)
        return self._ids[number] if number < self.rows and self.scope[number] < PYTHON_CALL else 0

    def fields(self, number: int):
        """What torch says about a node of this kind."""
        return _FIELDS[self.tags[number]](self, number)

    def op(self, row: int) -> fields._ExtraFields_TorchOp:
        return fields._ExtraFields_TorchOp(self.name(row), self._inputs_of(row), RecordScope(self.scope[row]),
                                           self._sequence[row])

    def _inputs_of(self, row: int) -> list:
        given = iter(range(self._given_at[row], self._given_at[row + 1]))
        return [self._input(kind, value, given) for kind, value in self.described(self._inputs[row])]

    def described(self, number: int) -> list[tuple[str, object]]:
        """Of each of the inputs of that number what it is, and what is known of it without its identity."""
        if number < 0:
            return []
        known = self._shapes.get(number)
        if known is None:
            known = self._shapes[number] = [*map(_described, described_inputs.positional(self.table.inputs[number]))]
        return known

    def _input(self, kind: str, value, given):
        """Tensors with their identity, lists of tensors, numbers; torch shows nothing of the rest."""
        if kind == "tensor":
            return self._tensor(value, next(given, None))
        if kind == "tensors":
            return [self._tensor(v, next(given, None)) for v in value]
        for _ in range(value if kind == "hidden" else 0):
            next(given, None)
        return value if kind == "number" else None

    def _tensor(self, geometry: tuple, at: int | None) -> _TensorMetadata:
        if at is None:
            return _TensorMetadata(None, None, None, None, *geometry)
        storage = self._tensors["storage"][at]
        return _TensorMetadata(self._tensors["tensor"][at], storage & ADDRESS or None,
                               *self.recorded.numbers.pair(self._allocations[at]), *geometry,
                               device=self.place(storage >> ADDRESS_BITS))

    def place(self, number: int) -> object:
        """The device of a number that stands above addresses."""
        known = self._places.get(number)
        if known is None:
            known = self._places[number] = types.place(number, self.table.window.device)
        return known

    def allocation(self, number: int) -> fields._ExtraFields_Allocation:
        at, memory = number - self.rows, self._memory
        address = memory["address"][at]
        return fields._ExtraFields_Allocation(address & ADDRESS, *self.recorded.numbers.pair(self._changed[at]),
                                              memory["change"][at], memory["total"][at],
                                              device=self.place(address >> ADDRESS_BITS))

    def python_call(self, row: int) -> fields._ExtraFields_PyCall:
        facts = self.recorded.facts.get(row)
        known = [] if facts is None else self.tensors_of_facts(facts)
        optimizer = row in self.recorded.optimizers
        module = facts if facts is not None and not optimizer else None
        return fields._ExtraFields_PyCall(
            _PyFrameState.read(self.name(row)) if module is None else _PyFrameState.of(module.called), self.caller(row),
            module and fields._NNModuleInfo(module.self_ptr, module.cls_ptr, module.cls_name, known),
            fields._OptimizerInfo(facts.self_ptr, known) if optimizer else None)

    def tensors_of_facts(self, facts) -> list[tuple]:
        """A module's or optimizer's parameters with all that belongs to them, every tensor with its numbers."""
        numbers = self.recorded.numbers
        allocations = iter(numbers.of_facts.get(id(facts), ()))

        def known(part):
            if part is None or isinstance(part, str):
                return part
            if isinstance(part, dict):
                return [(name, known(t)) for name, t in part.items()]
            dtype = types.by_name(part.dtype) if isinstance(part.dtype, str) else part.dtype
            return _TensorMetadata(part.tensor, part.storage & ADDRESS or None,
                                   *numbers.pair(next(allocations, NO_ALLOCATION)), list(part.shape),
                                   list(part.strides), dtype, device=self.place(part.storage >> ADDRESS_BITS))

        return [tuple(known(part) for part in parameter) for parameter in facts.parameters]

    def c_call(self, row: int) -> fields._ExtraFields_PyCCall:
        return fields._ExtraFields_PyCCall(self.caller(row))

    def caller(self, row: int) -> _PyFrameState:
        """The Python function a call was made from, and the line in it."""
        above = self._parents[row]
        while above >= 0 and self.scope[above] != PYTHON_CALL:
            above = self._parents[above]
        line = LINE_BASE - self._sequence[row] if self._sequence[row] <= LINE_BASE else None
        return NO_FRAME if above < 0 else _PyFrameState.read(self.name(above), line)


def _described(value) -> tuple[str, object]:
    """What a described input is, and what is known of it without its identity; of some, how many tensors it hides."""
    if described_inputs.is_tensor(value):
        return "tensor", _geometry(value)
    if described_inputs.is_tensor_list(value):
        return "tensors", [*map(_geometry, value[1:])]
    if isinstance(value, tuple) and value[:1] == ("[]",):
        return "hidden", sum(map(described_inputs.is_tensor, value[1:]))
    return "number", described_inputs.number(value)


def _geometry(value: tuple) -> tuple[list[int], list[int], object, object]:
    shape, dtype, strides, *layout = value
    return list(shape), list(strides), types.by_name(dtype), types.layout(layout[0] if layout else "strided")


_FIELDS = {
    _EventType.TorchOp: EventTree.op, _EventType.Allocation: EventTree.allocation,
    _EventType.PyCall: EventTree.python_call, _EventType.PyCCall: EventTree.c_call,
    _EventType.PythonGC: lambda _, row: fields._ExtraFields_PythonGC(),
    _EventType.Kineto: lambda _, number: fields._ExtraFields_Kineto(),
}
