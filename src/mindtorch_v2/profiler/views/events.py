"""All events of a profile as objects, each made once and only when asked for."""

from __future__ import annotations

from ..table.cached_property import cached_property
from ..table.columns import GARBAGE_COLLECTION, MODULE_CALL, OF_DEVICE, PYTHON_SCOPE, USER_SCOPE
from ..table.words import overload
from .device_events import ACTIVITY_TYPES
from .event_metadata import device_metadata
from .function_event import FunctionEvent
from .python_calls import module_ids, python_ids
from .visible_events import VisibleEvents


def _column(name: str) -> cached_property:
    """A column of which single cells can be read as plain numbers, quickly and without making a list of all."""
    return cached_property(lambda self: memoryview(self.visible.table[name]))


def _derived(name: str) -> cached_property:
    return cached_property(lambda self: memoryview(getattr(self.visible, name)))


class Events:
    """What FunctionEvents read their fields from."""

    id, name, parent = _column("id"), _column("name"), _column("parent")
    start_ns, end_ns = _column("start_ns"), _column("end_ns")
    inputs, thread, forward_thread = _column("inputs"), _column("thread"), _column("forward_thread")
    scope, flags, flops, sequence = _column("scope"), _column("flags"), _column("flops"), _column("sequence")
    total_bytes, self_bytes, self_ns = _derived("total_bytes"), _derived("self_bytes"), _derived("self_ns")
    flow_ids, _stack = _derived("flow_ids"), _derived("stack")

    def __init__(self, visible: VisibleEvents, overloads: bool = False, places: dict[int, int] | None = None):
        self.visible = visible
        self._overloads = overloads
        self._places = places  # of events in the trace, by id, where they are to be shown
        self._made: dict[int, FunctionEvent] = {}

    def __reduce__(self):
        """As a table, and what somebody has changed in single events."""
        changes = {row: fields for row, event in list(self._made.items()) if (fields := event._changes())}
        return Events._blank, (), (self.visible.source, self._overloads, self._places, changes)

    @classmethod
    def _blank(cls) -> Events:
        """What events are pickled with refers to the events themselves: they can be had before there is a table."""
        blank = cls.__new__(cls)
        blank._made = {}
        return blank

    def __setstate__(self, state: tuple) -> None:
        table, self._overloads, self._places, changes = state
        self.visible = VisibleEvents(table)
        for row, fields in changes.items():
            vars(self.event(row)).update(fields)

    names = cached_property(lambda self: self.visible.table.names)
    words = cached_property(lambda self: self.visible.keys[0])
    keys = cached_property(lambda self: memoryview(self.visible.keys[1]))
    _children = cached_property(lambda self: tuple(map(memoryview, self.visible.children)))
    _os_ids = cached_property(lambda self: {t.index: t.os_id for t in self.visible.table.threads})

    _thread_names = cached_property(lambda self: {t.index: t.name for t in self.visible.table.threads})

    use_device = cached_property(lambda self: self.visible.source.window.device or None)
    device_ns = cached_property(lambda self: memoryview(self.visible.device.total_ns))
    self_device_ns = cached_property(lambda self: memoryview(self.visible.device.self_ns))
    device_bytes = cached_property(lambda self: memoryview(self.visible.device.total_bytes))
    self_device_bytes = cached_property(lambda self: memoryview(self.visible.device.self_bytes))

    @cached_property
    def _activity_number(self) -> memoryview:
        return memoryview(self.visible.device.number)

    def is_device(self, row: int) -> bool:
        """Whether a row ran on a device."""
        return bool(self.flags[row] & OF_DEVICE)

    def of_device(self, column: str, row: int) -> int:
        """What is known of a row that ran on a device."""
        return int(self.visible.device.activities[column][self._activity_number[row]])

    def kernels(self, row: int) -> list[tuple[str, int, float]]:
        """Name, device and microseconds of what a row launched itself."""
        if self.is_device(row) or not self.visible.device.n_activities:
            return []
        device = self.visible.device
        return [(self.names[device.activities["name"][number]][0], int(device.activities["device_index"][number]),
                 float(device.lasted_ns[number] / 1000)) for number in device.launched_by(row)]

    def __len__(self) -> int:
        return len(self.visible)

    def event(self, row: int) -> FunctionEvent:
        """The row's event; always the same object."""
        event = self._made.get(row)
        if event is None:
            event = FunctionEvent.__new__(FunctionEvent)
            event._source, event._row = self, row
            event = self._made.setdefault(row, event)
        return event

    def children(self, row: int) -> list[FunctionEvent]:
        rows, at = self._children
        return [self.event(child) for child in rows[at[row]:at[row + 1]]]

    def described(self, row: int) -> tuple:
        number = self.inputs[row]
        return self.visible.table.inputs[number] if number >= 0 else ()

    @cached_property
    def _python(self) -> tuple[memoryview, memoryview, dict[int, int]]:
        table = self.visible.table
        ids = python_ids(table)
        return *map(memoryview, ids), module_ids(table["scope"], table["name"])

    def is_python(self, row: int) -> bool:
        return PYTHON_SCOPE <= self.scope[row] < GARBAGE_COLLECTION

    def python_id(self, row: int) -> int:
        return self._python[0][row] or -1

    def python_parent_id(self, row: int) -> int:
        return self._python[1][row] or -1

    def python_module_id(self, row: int) -> int:
        return self._python[2][self.name[row]] if self.scope[row] == MODULE_CALL else -1

    def activity(self, row: int) -> str:
        """What a row is called in a trace."""
        if self.is_device(row):
            return ACTIVITY_TYPES[self.of_device("kind", row)]
        scope = self.scope[row]
        return "python_function" if scope >= PYTHON_SCOPE else "user_annotation" if scope == USER_SCOPE else "cpu_op"

    def stack(self, row: int) -> list[str]:
        """The Python calls that led to the row, the innermost first."""
        return self.visible.frames(self._stack[row])

    def stack_number(self, row: int) -> int:
        """The same for all rows of one stack."""
        return self._stack[row]

    def overload(self, row: int) -> str:
        return self.overload_of(self.name[row])

    def overload_of(self, name: int) -> str:
        return overload(self.names[name]) if self._overloads else ""

    def metadata(self, row: int) -> str:
        if self.is_device(row):
            return ", ".join(f'"{key}": {value}' for key, value in self.extra_meta(row).items())
        return "" if self._places is None or self.is_python(row) else f'"Ev Idx": {self._places[self.id[row]]}'

    def extra_meta(self, row: int) -> dict[str, str]:
        """What a trace says of an activity of a device."""
        cells = (self.of_device(name, row) for name in ("queue", "kind", "bytes"))
        return device_metadata(*cells, self.end_ns[row] - self.start_ns[row])

    def os_id(self, row: int) -> int:
        return self._os_ids.get(self.thread[row], 0)

    def thread_name(self, row: int) -> str:
        """What Python calls the thread."""
        return self._thread_names.get(self.thread[row], "")

    def us(self, time_ns: int) -> float:
        """Microseconds since the profile began."""
        return (time_ns - self.visible.table.window.start_ns) / 1000

    def total_us(self, row: int) -> float:
        """Time on the processor."""
        return 0 if self.flags[row] & OF_DEVICE else (self.end_ns[row] - self.start_ns[row]) / 1000

    def self_us(self, row: int) -> float:
        return self.self_ns[row] / 1000
