"""Raw events of devices: activities on their queues, and changes of their memory."""

from __future__ import annotations

import numpy as np

from ..views.device_events import ACTIVITY_TYPES
from ..views.device_type import DeviceType
from ..views.event_metadata import device_metadata
from ..views.function_event import LAUNCH_TO_ACTIVITY
from ..views.visible_events import MEMORY_EVENT_NAME
from .event_tree import EventTree
from .kineto_event import _KinetoEvent


def _nothing(value):
    return lambda self: value() if callable(value) else value


class _DeviceKinetoEvent(_KinetoEvent):
    """One raw event of a device; ``_node`` counts activities first, then changes of memory."""

    __slots__ = ()

    def __reduce__(self):
        return _DeviceKinetoEvent, (self._source, self._node)

    def _is_memory(self) -> bool:
        return self._node >= self._source.n_activities

    def _cell(self, of_activity: str, of_memory: str | None = None) -> int:
        return self._source.cell(self._node, of_activity, of_memory or of_activity)

    def name(self) -> str:
        return MEMORY_EVENT_NAME if self._is_memory() else self._source.name(self._node)

    def start_ns(self) -> int:
        """Since the epoch."""
        return self._cell("start_ns", "time_ns") + self._source.offset_ns

    def end_ns(self) -> int:
        return self._cell("end_ns", "time_ns") + self._source.offset_ns

    def start_thread_id(self) -> int:
        """The thread that launched it."""
        return self._cell("thread")

    end_thread_id = start_thread_id

    def device_type(self) -> DeviceType:
        return DeviceType(self._cell("device_type"))

    def device_index(self) -> int:
        return self._cell("device_index")

    def device_resource_id(self) -> int:
        """The stream."""
        return self._cell("queue", "thread")

    def correlation_id(self) -> int:
        return 0 if self._is_memory() else self._cell("correlation")

    def linked_correlation_id(self) -> int:
        """The id of the op or range that launched it."""
        return 0 if self._is_memory() else self._cell("event")

    external_id = linked_correlation_id

    def activity_type(self) -> str:
        return "cpu_instant_event" if self._is_memory() else ACTIVITY_TYPES[self._cell("kind")]

    def nbytes(self) -> int:
        return self._cell("bytes", "change") if self._is_memory() else 0

    def flow_id(self) -> int:
        return self.correlation_id()

    def flow_type(self) -> int:
        return LAUNCH_TO_ACTIVITY if self.flow_id() else 0

    def flow_start(self) -> bool:
        return False

    def extra_meta(self) -> dict[str, str]:
        """What a trace says of an activity."""
        if self._is_memory():
            return {}
        return device_metadata(self._cell("queue"), self._cell("kind"), self._cell("bytes"), self.duration_ns())

    def metadata_json(self) -> str:
        return ", ".join(f'"{key}": {value}' for key, value in self.extra_meta().items())

    overload_name = _nothing("")
    sequence_nr = python_id = python_parent_id = python_module_id = _nothing(-1)
    fwd_thread_id = flops = scope = scope_number = _nothing(0)
    shapes = dtypes = concrete_inputs = stack = _nothing(list)
    structured_input_shapes = structured_input_strides = _nothing(list)
    kwinputs = _nothing(dict)
    is_user_annotation = is_python_function = _nothing(False)


class DeviceActivities:
    """What raw events of devices read their fields from."""

    def __init__(self, tree: EventTree):
        table = tree.table
        self._names, self._activities, self._memory = table.names, table.device, table.device_memory
        self.n_activities, self.offset_ns = table.device.n_rows, table.window.wall_offset_ns
        self.start_ns = np.concatenate([table.device["start_ns"], table.device_memory["time_ns"]]) + self.offset_ns

    def event(self, number: int) -> _DeviceKinetoEvent:
        return _DeviceKinetoEvent(self, number)

    def name(self, number: int) -> str:
        return self._names[self._activities["name"][number]][0]

    def cell(self, number: int, of_activity: str, of_memory: str) -> int:
        if number < self.n_activities:
            return int(self._activities[of_activity][number])
        return int(self._memory[of_memory][number - self.n_activities])
