"""FunctionEvent and FunctionEventAvg: torch's objects, made when somebody looks and filled as far as they look."""

from __future__ import annotations

import warnings
from collections import namedtuple

from ..table.columns import OF_MEMORY, PYTHON_SCOPE, USER_SCOPE
from . import inputs
from .device_type import DeviceType
from .event_metadata import build_metadata
from .formatting import format_time

# Kinds of devices whose work stands in rows of its own.
WORKING = (DeviceType.CUDA, DeviceType.PrivateUse1, DeviceType.MTIA, DeviceType.HPU, DeviceType.XPU)
Kernel = namedtuple("Kernel", ["name", "device", "duration"], module="mindtorch_v2.autograd.profiler_util")


class Interval:
    """A stretch of time in microseconds."""

    __module__ = "mindtorch_v2.autograd.profiler_util"

    def __init__(self, start, end):
        self.start = start
        self.end = end

    def elapsed_us(self):
        """How long it lasted."""
        return self.end - self.start


def attr_formatter(name: str) -> property:
    return property(lambda self: format_time(getattr(self, name)))


def renamed(old: str, new: str, warning: str = "`{}` is deprecated. Use `{}` instead.") -> property:
    """torch's older name of a field."""
    def read(self):
        warnings.warn(warning.format(old, new), FutureWarning, stacklevel=2)
        return getattr(self, new)

    return property(read)


class FormattedTimesMixin:
    """Averages per call, and every time as text."""

    __module__ = "mindtorch_v2.autograd.profiler_util"

    @property
    def cpu_time(self):
        return 0.0 if self.count == 0 else 1.0 * self.cpu_time_total / self.count

    @property
    def device_time(self):
        return 0.0 if self.count == 0 else 1.0 * self.device_time_total / self.count

    cuda_time = renamed("cuda_time", "device_time", "`cuda_time` is deprecated, please use `device_time` instead.")
    cpu_time_str = attr_formatter("cpu_time")
    device_time_str = attr_formatter("device_time")
    cpu_time_total_str = attr_formatter("cpu_time_total")
    device_time_total_str = attr_formatter("device_time_total")
    self_cpu_time_total_str = attr_formatter("self_cpu_time_total")
    self_device_time_total_str = attr_formatter("self_device_time_total")


class FunctionEvent(FormattedTimesMixin):
    """One event. Made by hand it holds what it is given; made from a profile it looks up a field when it is read."""

    __module__ = "mindtorch_v2.autograd.profiler_util"
    _source, _row = None, -1

    def __init__(self, id, name, thread, start_us, end_us, overload_name=None, fwd_thread=None, input_shapes=None,  # noqa: A002
                 stack=None, scope=0, use_device=None, cpu_memory_usage=0, device_memory_usage=0, is_async=False,
                 is_remote=False, sequence_nr=-1, node_id=-1, device_type=DeviceType.CPU, device_index=0,
                 device_resource_id=None, is_legacy=False, flops=None, trace_name=None, concrete_inputs=None,
                 kwinputs=None, is_user_annotation=False, is_python_function=False, activity_type=None,
                 metadata_json=None, flow_id=None, flow_type=None, flow_start=None, external_id=0,
                 linked_correlation_id=0, extra_meta=None, structured_input_shapes=None,
                 structured_input_strides=None, input_dtypes=None, python_id=-1, python_parent_id=-1,
                 python_module_id=-1):
        given = locals()
        fields = {name: given[name] for name in _GIVEN}
        fields.update(time_range=Interval(start_us, end_us), kernels=[], count=1, cpu_children=[], cpu_parent=None,
                      thread_name="",
                      device_resource_id=thread if device_resource_id is None else device_resource_id,
                      self_cpu_percent=-1, total_cpu_percent=-1, total_device_percent=-1,
                      _metadata_json=metadata_json, event_metadata=extra_meta and build_metadata(extra_meta))
        vars(self).update(fields)

    def __reduce_ex__(self, protocol):
        """An event of a profile is pickled as its place among all of them: events nest deeper than pickle can go."""
        if self._source is None:
            return super().__reduce_ex__(protocol)
        return _event_of, (self._source, self._row)

    def __copy__(self):
        copied = FunctionEvent.__new__(type(self))
        vars(copied).update(vars(self))
        return copied

    def _changes(self) -> dict:
        """The fields that say something else than the profile."""
        return {name: value for name, value in vars(self).items() if name not in ("_source", "_row")
                and not (name in _READ and _says_the_same(value, _READ[name](self._source, self._row)))}

    def append_kernel(self, name, device, duration):
        self.kernels.append(Kernel(name, device, duration))

    def append_cpu_child(self, child):
        """Make an event this one's child."""
        if not isinstance(child, FunctionEvent):
            raise AssertionError("Expected child to be a FunctionEvent")
        self.cpu_children.append(child)

    def set_cpu_parent(self, parent):
        """Say which event this one was called from."""
        if not isinstance(parent, FunctionEvent):
            raise AssertionError("Expected parent to be a FunctionEvent")
        self.cpu_parent = parent

    key = property(lambda self: self.name)

    @property
    def metadata_json(self):
        """What torch's tracing library says of an event, as JSON without its braces."""
        warnings.warn("`metadata_json` is deprecated. Use `event_metadata` instead.", FutureWarning, stacklevel=2)
        return self._metadata_json

    cuda_time_total = renamed("cuda_time_total", "device_time_total")
    self_cuda_time_total = renamed("self_cuda_time_total", "self_device_time_total")
    self_cuda_memory_usage = renamed("self_cuda_memory_usage", "self_device_memory_usage")

    def _is_call(self) -> bool:
        """Whether it is a call on the processor, which has time of its own beside that of its children."""
        return not self.is_async and self.device_type is DeviceType.CPU

    @property
    def cpu_time_total(self):
        if self._source is not None:
            return self._source.total_us(self._row)
        return self.time_range.elapsed_us() if self.device_type is DeviceType.CPU else 0

    @property
    def device_time_total(self):
        """Time that devices worked for this call and its children, or that an activity of a device took."""
        if self.is_async or not self.use_device:
            return 0
        if self._source is not None:
            return self._source.device_ns[self._row] / 1000 + self._added_us()
        if self.device_type is not DeviceType.CPU:
            return self._activity_us()
        children = () if self.is_legacy else self.cpu_children
        return sum(kernel.duration for kernel in self.kernels) + sum(child.device_time_total for child in children)

    @property
    def self_device_time_total(self):
        """The same without the children."""
        if self.is_async or not self.use_device:
            return 0
        if self._source is not None:
            return self._source.self_device_ns[self._row] / 1000 + self._added_us()
        if self.device_type is not DeviceType.CPU:
            return self._activity_us()
        return self.device_time_total - sum(child.device_time_total for child in self.cpu_children)

    def _added_us(self) -> float:
        """Time of kernels that somebody has appended to an event of a profile."""
        if "kernels" not in vars(self):
            return 0.0
        return sum(kernel.duration for kernel in self.kernels[len(self._source.kernels(self._row)):])

    def _activity_us(self) -> float:
        if self.device_type not in WORKING:
            raise AssertionError("Expected device_type to be CUDA, PrivateUse1, MTIA, HPU or XPU, but got "
                                 f"{self.device_type}")
        return self.time_range.elapsed_us()

    @property
    def self_cpu_time_total(self):
        if self._source is not None:
            return self._source.self_us(self._row)
        if not self._is_call():
            return 0
        return self.cpu_time_total - sum(child.cpu_time_total for child in self.cpu_children)

    @property
    def self_cpu_memory_usage(self):
        if self._source is not None:
            return self._source.self_bytes[self._row]
        if not self._is_call():
            return 0
        return self.cpu_memory_usage - sum(child.cpu_memory_usage for child in self.cpu_children)

    @property
    def self_device_memory_usage(self):
        if self._source is not None:
            return self._source.self_device_bytes[self._row]
        if not self._is_call():
            return 0
        return self.device_memory_usage - sum(child.device_memory_usage for child in self.cpu_children)

    def __repr__(self):
        device = self.use_device
        return (f"<{type(self).__name__} id={self.id} name={self.name} overload_name={self.overload_name} "
                f"device_type={self.device_type} node_id={self.node_id} cpu_time={self.cpu_time_str} "
                f"start_us={self.time_range.start} end_us={self.time_range.end} "
                f"cpu_children={[child.id for child in self.cpu_children]} {device}_time={self.device_time_str} "
                f"name={self.name} thread={self.thread} input_shapes={self.input_shapes} "
                f"cpu_memory_usage={self.cpu_memory_usage} {device}_memory_usage={self.device_memory_usage} "
                f"is_async={self.is_async} is_remote={self.is_remote} seq_nr={self.sequence_nr} "
                f"is_legacy={self.is_legacy}>")


def _event_of(source, row: int) -> FunctionEvent:
    return source.event(row)


def _says_the_same(value, read) -> bool:
    if isinstance(value, Interval):
        return vars(value) == vars(read)
    return type(value) is type(read) and value == read


# Constructor arguments that are fields of the same name.
_GIVEN = ("id node_id name overload_name trace_name thread fwd_thread input_shapes concrete_inputs kwinputs stack "
          "scope use_device cpu_memory_usage device_memory_usage is_async is_remote sequence_nr device_type "
          "device_index is_legacy flops is_user_annotation is_python_function activity_type flow_id flow_type "
          "flow_start external_id linked_correlation_id structured_input_shapes structured_input_strides input_dtypes "
          "python_id python_parent_id python_module_id").split()


def _is_memory(source, row) -> bool:
    return bool(source.flags[row] & OF_MEMORY)


def _described(view):
    """A field read from the described inputs; memory rows, which nobody called, have none."""
    return lambda source, row: None if _is_memory(source, row) else view(source.described(row))


def _of_call(value):
    """A field that memory rows leave empty."""
    return lambda source, row: None if _is_memory(source, row) else value(source, row)


def _of_device(column: str, otherwise, read=int):
    """A field that rows of a device read from the columns of its activities."""
    return lambda source, row: read(source.of_device(column, row)) if source.is_device(row) else otherwise(source, row)


FORWARD_TO_BACKWARD, LAUNCH_TO_ACTIVITY = 1, 2  # torch's kinds of arrows
# Where each field of an event comes from, given the profile and the row.
_READ = {
    "id": lambda s, r: 0 if s.scope[r] >= PYTHON_SCOPE else s.id[r],
    "node_id": lambda s, r: -1,
    "name": lambda s, r: s.words[s.keys[r]],
    "overload_name": lambda s, r: s.overload(r),
    "trace_name": _of_call(lambda s, r: s.names[s.name[r]][0]),
    "time_range": lambda s, r: Interval(s.us(s.start_ns[r]), s.us(s.end_ns[r])),
    "thread": lambda s, r: s.thread[r],
    "thread_name": lambda s, r: s.thread_name(r),
    "fwd_thread": lambda s, r: s.forward_thread[r],
    "kernels": lambda s, r: [Kernel(*kernel) for kernel in s.kernels(r)],
    "count": lambda s, r: 1,
    "cpu_children": lambda s, r: s.children(r),
    "cpu_parent": lambda s, r: s.event(s.parent[r]) if s.parent[r] >= 0 else None,
    "input_shapes": lambda s, r: inputs.shapes(s.described(r)),
    "concrete_inputs": _described(inputs.concrete),
    "kwinputs": _described(inputs.keywords),
    "stack": lambda s, r: s.stack(r),
    "scope": lambda s, r: 0 if s.scope[r] >= PYTHON_SCOPE else s.scope[r],
    "use_device": lambda s, r: s.use_device,
    "cpu_memory_usage": lambda s, r: s.total_bytes[r],
    "device_memory_usage": lambda s, r: s.device_bytes[r],
    "is_async": lambda s, r: False,
    "is_remote": lambda s, r: False,
    "sequence_nr": lambda s, r: max(s.sequence[r], -1),  # a Python call keeps its line there
    "device_type": _of_device("device_type", lambda s, r: DeviceType.CPU, DeviceType),
    "device_index": _of_device("device_index", lambda s, r: 0 if _is_memory(s, r) else s.os_id(r)),
    "device_resource_id": _of_device("queue", lambda s, r: s.thread[r] if _is_memory(s, r) else s.os_id(r)),
    "is_legacy": lambda s, r: False,
    "flops": _of_call(lambda s, r: s.flops[r]),
    "is_user_annotation": lambda s, r: s.scope[r] == USER_SCOPE,
    "is_python_function": lambda s, r: s.is_python(r),
    "activity_type": _of_call(lambda s, r: s.activity(r)),
    "self_cpu_percent": lambda s, r: -1,
    "total_cpu_percent": lambda s, r: -1,
    "total_device_percent": lambda s, r: -1,
    "_metadata_json": _of_call(lambda s, r: s.metadata(r)),
    "flow_id": _of_call(_of_device("correlation", lambda s, r: s.flow_ids[r])),
    "flow_type": _of_call(lambda s, r: LAUNCH_TO_ACTIVITY if s.is_device(r) else
                          FORWARD_TO_BACKWARD if s.flow_ids[r] else 0),
    "flow_start": _of_call(lambda s, r: bool(s.flow_ids[r]) and s.scope[r] == 0),
    "external_id": _of_device("event", lambda s, r: 0 if _is_memory(s, r) or s.scope[r] >= PYTHON_SCOPE else s.id[r]),
    "linked_correlation_id": _of_device("event", lambda s, r: 0),
    "event_metadata": lambda s, r: build_metadata(s.extra_meta(r)) if s.is_device(r) else None,
    "structured_input_shapes": _described(inputs.structured),
    "structured_input_strides": _described(lambda described: inputs.structured(described, 2)),
    "input_dtypes": _described(inputs.types),
    "python_id": lambda s, r: s.python_id(r),
    "python_parent_id": lambda s, r: s.python_parent_id(r),
    "python_module_id": lambda s, r: s.python_module_id(r),
}


class Field:
    """A field not looked at before: it is read from the event's profile, and from then on the event's own."""

    def __init__(self, name: str, read):
        self._name, self._read = name, read

    def __get__(self, event, kind):
        if event is None or event._source is None:
            raise AttributeError(f"'{kind.__name__}' object has no attribute '{self._name}'")
        value = self._read(event._source, event._row)
        setattr(event, self._name, value)
        return value


for _name, _read in _READ.items():
    setattr(FunctionEvent, _name, Field(_name, _read))
