"""torch's flat list of raw events: calls, memory changes and activities of devices in order of time."""

from __future__ import annotations

import numpy as np

from ..table.cached_property import cached_property
from ..views.record_scope import C_CALL, MODULE_CALL, PYTHON_CALL
from ..views.visible_events import flows
from .device_kineto_event import DeviceActivities, _DeviceKinetoEvent
from .event_tree import EventTree
from .kineto_event import _KinetoEvent


class RawEvents:
    """What raw events read their fields from; a sequence of them in order of time."""

    def __init__(self, tree: EventTree, tell_places: bool = False):
        self.tree, self._tell_places = tree, tell_places
        in_trace = np.argsort(np.asarray(tree.start_ns)[:tree.rows], kind="stable").tolist() if tell_places else ()
        self.places = {node: place for place, node in enumerate(in_trace)}
        self._n_nodes = tree.rows + tree.table.memory.n_rows  # of calls, and of changes of the processor's memory
        self._of_device = DeviceActivities(tree)
        start_ns = np.append(np.asarray(tree.start_ns)[:self._n_nodes], self._of_device.start_ns)
        self._order = memoryview(np.argsort(start_ns, kind="stable"))

    def __reduce__(self):
        return RawEvents, (self.tree, self._tell_places)

    def __len__(self) -> int:
        return len(self._order)

    def event(self, at: int) -> _KinetoEvent | _DeviceKinetoEvent:
        return self.of_node(self._order[at])

    def of_node(self, node: int) -> _KinetoEvent | _DeviceKinetoEvent:
        """The event of a node of the tree or, counted on from there, of a device."""
        is_of_device = node >= self._n_nodes
        return self._of_device.event(node - self._n_nodes) if is_of_device else _KinetoEvent(self, node)

    changes = cached_property(lambda self: memoryview(self.tree.table.memory["change"]))
    flow_ids = cached_property(lambda self: memoryview(flows(self.tree.table)))
    _columns = cached_property(lambda self: {name: memoryview(a) for name, a in self.tree.table.events.items()})
    _os_ids = cached_property(lambda self: {t.index: t.os_id for t in self.tree.table.threads})
    _pids = cached_property(lambda self: {t.index: self.tree.table.pid_of(t) for t in self.tree.table.threads})

    @cached_property
    def python_ids(self) -> dict[int, int]:
        """Python calls numbered from 1 in order of time."""
        calls = (n for n in self._order if n < self.tree.rows and self.tree.scope[n] in
                 (PYTHON_CALL, C_CALL, MODULE_CALL))
        return {node: number for number, node in enumerate(calls, 1)}

    def python_parent(self, node: int) -> int:
        """The number of the Python call around a node, or -1."""
        return self.python_ids.get(self._caller(node), -1)

    def stack(self, node: int) -> list[str]:
        """The names of the Python calls around a node, the innermost first."""
        names, caller = [], self._caller(node)
        while caller >= 0:
            names.append(self.tree.name(caller))
            caller = self._caller(caller)
        return names

    def _caller(self, node: int) -> int:
        """The Python call that was going on innermost when a node began, or -1: a range may outlive the call it began
        in, and then holds calls that this one did not make."""
        above, rows, start_ns = self._above[node], self._columns, self.tree.start_ns[node] - self._offset_ns
        while above >= 0 and (above not in self.python_ids or rows["end_ns"][above] < start_ns):
            above = rows["parent"][above]
        return above

    _offset_ns = cached_property(lambda self: self.tree.table.window.wall_offset_ns)

    @cached_property
    def _above(self) -> memoryview:
        """What was innermost when each node began, or -1."""
        table = self.tree.table
        return memoryview(np.r_[table["parent"], table.memory["event"]].astype(np.int64))

    def cell(self, column: str, node: int, otherwise):
        return self._columns[column][node] if node < self.tree.rows else otherwise

    def os_id(self, node: int) -> int:
        return self._os_ids.get(self.tree.thread[node], 0)

    def pid(self, node: int) -> int:
        """The process that did it."""
        return self._pids.get(self.tree.thread[node], self.tree.table.window.pid)

    def described(self, node: int) -> tuple:
        number = self.cell("inputs", node, -1)
        return self.tree.table.inputs[number] if number >= 0 else ()
