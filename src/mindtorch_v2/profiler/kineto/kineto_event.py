"""One raw event as torch's tools read it: a call or a memory change, its fields looked up in the table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..table.columns import USER_SCOPE
from ..views import inputs
from ..views.device_type import DeviceType
from ..views.record_scope import C_CALL, MODULE_CALL, PYTHON_CALL

if TYPE_CHECKING:
    from .raw_events import RawEvents

_NUMBER = re.compile(r"_(\d+)$")


def _constant(value):
    return lambda self: value


def _of_row(column: str, otherwise):
    """A column of the table; memory changes have none."""
    return lambda self: self._source.cell(column, self._node, otherwise)


def _of_inputs(read):
    return lambda self: read(self._source.described(self._node))


class _KinetoEvent:
    """One raw event; torch's tools call its fields."""

    __slots__ = ("_node", "_source")

    def __init__(self, source: RawEvents, node: int):
        self._source, self._node = source, node

    def __reduce__(self):
        return _KinetoEvent, (self._source, self._node)

    def name(self) -> str:
        return self._source.tree.name(self._node)

    def overload_name(self) -> str:
        return self._source.tree.overload(self._node)

    def start_ns(self) -> int:
        return self._source.tree.start_ns[self._node]

    def end_ns(self) -> int:
        return self._source.tree.end_ns[self._node]

    def duration_ns(self) -> int:
        return self.end_ns() - self.start_ns()

    def start_thread_id(self) -> int:
        return self._source.tree.thread[self._node]

    end_thread_id = start_thread_id

    def device_index(self) -> int:
        """The operating system's number of the thread, as torch gives it for the processor; 0 for memory."""
        return 0 if self._is_memory() else self._source.os_id(self._node)

    def device_resource_id(self) -> int:
        return self.start_thread_id() if self._is_memory() else self._source.os_id(self._node)

    def correlation_id(self) -> int:
        return self._source.tree.correlation_id(self._node)

    external_id = correlation_id

    def activity_type(self) -> str:
        """The category this event has in a trace."""
        if self._is_memory():
            return "cpu_instant_event"
        scope = self._source.tree.scope[self._node]
        return "python_function" if scope >= PYTHON_CALL else "user_annotation" if scope == USER_SCOPE else "cpu_op"

    def is_user_annotation(self) -> bool:
        return self.activity_type() == "user_annotation"

    def is_python_function(self) -> bool:
        return self.scope_number() in (PYTHON_CALL, C_CALL, MODULE_CALL)

    def scope(self) -> int:
        """torch's number of the scope; 0 for what Python did."""
        number = self.scope_number()
        return number if number < PYTHON_CALL else 0

    def scope_number(self) -> int:
        return 0 if self._is_memory() else self._source.tree.scope[self._node]

    def nbytes(self) -> int:
        """Bytes that a memory change allocated or released."""
        return self._source.changes[self._node - self._source.tree.rows] if self._is_memory() else 0

    def flow_id(self) -> int:
        return 0 if self._is_memory() else self._source.flow_ids[self._node]

    def flow_type(self) -> int:
        return int(self.flow_id() > 0)

    def flow_start(self) -> bool:
        return self.flow_id() > 0 and self.scope() == 0

    def stack(self) -> list[str]:
        """The Python calls around it, innermost first."""
        return self._source.stack(self._node)

    def python_id(self) -> int:
        return self._source.python_ids.get(self._node, -1)

    def python_parent_id(self) -> int:
        return self._source.python_parent(self._node) if self.is_python_function() else -1

    def python_module_id(self) -> int:
        match = _NUMBER.search(self.name()) if self.scope_number() == MODULE_CALL else None
        return int(match[1]) if match else -1

    def _is_memory(self) -> bool:
        return self._node >= self._source.tree.rows

    sequence_nr = _of_row("sequence", -1)
    fwd_thread_id = _of_row("forward_thread", 0)
    flops = _of_row("flops", 0)
    shapes = _of_inputs(inputs.shapes)
    dtypes = _of_inputs(inputs.types)
    concrete_inputs = _of_inputs(inputs.concrete)
    kwinputs = _of_inputs(inputs.keywords)
    structured_input_shapes = _of_inputs(inputs.structured)
    structured_input_strides = _of_inputs(lambda described: inputs.structured(described, 2))
    device_type = _constant(DeviceType.CPU)
    linked_correlation_id = cuda_elapsed_us = privateuse1_elapsed_us = _constant(0)
    is_async = is_hidden_event = _constant(False)

    def metadata_json(self) -> str:
        """With expose_kineto_event_metadata: an event's place in the trace, as the inside of a JSON object."""
        places = self._source.places
        return "" if self._is_memory() or self.is_python_function() or not places else f'"Ev Idx": {places[self._node]}'

    def extra_meta(self) -> dict[str, str]:
        return {}
