"""The event tree as memory analysis reads it: ops in order, the sizes of tensors, parameters and gradients."""

from __future__ import annotations

from collections.abc import Iterator

from ..kineto.event_tree import _ProfilerEvent
from ..kineto.fields import (
    _ExtraFields_Allocation,
    _ExtraFields_PyCall,
    _ExtraFields_TorchOp,
    _TensorMetadata,
)
from ..kineto.kinds import _EventType
from ..kineto.traversal import traverse_dfs
from ..table.cached_property import cached_property
from ..views.record_scope import RecordScope
from .keys import TensorKey

ACCUMULATE = "torch::autograd::AccumulateGrad"


class OpTree:
    """All events of a result."""

    def __init__(self, result):
        self._root_nodes = result.experimental_event_tree()

    def dfs(self, *args, **kwargs) -> Iterator[_ProfilerEvent]:
        """All events, parents before children."""
        yield from traverse_dfs(self._root_nodes, *args, **kwargs)

    @cached_property
    def sorted_nodes(self) -> tuple[_ProfilerEvent, ...]:
        """All events by the time they began."""
        return tuple(sorted(self.dfs(), key=lambda event: event.start_time_ns))

    @cached_property
    def relevant(self) -> tuple[_ProfilerEvent, ...]:
        """Those that say something about tensors, parents before children."""
        wanted = (_EventType.TorchOp, _EventType.Allocation)
        return tuple(e for e in self.dfs() if e.tag in wanted or e._node in e._tree.recorded.facts)

    @cached_property
    def telling(self) -> tuple[_ProfilerEvent, ...]:
        """Those that show parameters, gradients or state."""
        return tuple(e for e in self.relevant if e.tag is _EventType.PyCall or e.name == ACCUMULATE)


def get_scopes(event: _ProfilerEvent | None) -> tuple[RecordScope, ...]:
    """The scopes of an event and of all ops around it, its own first."""
    scopes = []
    while event is not None:
        if event.tag is _EventType.TorchOp:
            scopes.append(event.extra_fields.scope)
        event = event.parent
    return tuple(scopes)


def _extract_parameters_and_gradients(
        node: _ProfilerEvent) -> Iterator[tuple[TensorKey | None, TensorKey | None]]:
    """(parameter, gradient) as far as an event shows them: a call of a module or optimizer, or an accumulation."""
    fields = node.extra_fields
    if isinstance(fields, _ExtraFields_TorchOp):
        # A first gradient is only detached; a further one is added to the one that is there.
        for child in node.children[:1] if fields.name == ACCUMULATE else ():
            if child.name in ("aten::detach", "aten::add_"):
                yield None, TensorKey.from_tensor(child.extra_fields.inputs[0])
    elif isinstance(fields, _ExtraFields_PyCall):
        for _, parameter, grad in fields.module.parameters if fields.module else ():
            yield TensorKey.from_tensor(parameter), TensorKey.from_tensor(grad)
        for parameter, grad, _ in fields.optimizer.parameters if fields.optimizer else ():
            yield TensorKey.from_tensor(parameter), TensorKey.from_tensor(grad)


def extract_parameters(node: _ProfilerEvent) -> Iterator[TensorKey]:
    """The parameters that an event shows."""
    for parameter, _ in _extract_parameters_and_gradients(node):
        if parameter is not None:
            yield parameter


def extract_gradients(node: _ProfilerEvent) -> Iterator[tuple[TensorKey | None, TensorKey]]:
    """The gradients that an event shows, each behind its parameter if that is known."""
    for parameter, grad in _extract_parameters_and_gradients(node):
        if grad is not None:
            yield parameter, grad


def extract_optimizer_state(node: _ProfilerEvent) -> Iterator[TensorKey]:
    """The state that an optimizer's step left behind."""
    fields = node.extra_fields
    if isinstance(fields, _ExtraFields_PyCall) and fields.optimizer:
        for _, _, state in fields.optimizer.parameters:
            yield from filter(None, (TensorKey.from_tensor(t) for _, t in state))


def flat_tensors(op: _ExtraFields_TorchOp) -> Iterator[_TensorMetadata]:
    """The tensors an op was given, those in lists too."""
    for given in op.inputs:
        for value in given if isinstance(given, list) else (given,):
            if isinstance(value, _TensorMetadata):
                yield value


def nbytes(t: _TensorMetadata) -> int:
    """Bytes from the first to the last element a tensor can reach, whole strides counted."""
    reach = max((size * stride for size, stride in zip(t.sizes, t.strides)), default=1)
    return reach * t.dtype.itemsize


class SizeMap:
    """Bytes behind each key: what was allocated, or the most that a tensor on it reached."""

    def __init__(self, op_tree: OpTree):
        self._values: dict[TensorKey, int] = {}
        allocated = {}
        for node in op_tree.relevant:
            fields = node.extra_fields
            if isinstance(fields, _ExtraFields_TorchOp):
                for t in self._flat_tensor_inputs(fields):
                    self._update_values(t)
            elif isinstance(fields, _ExtraFields_Allocation):
                key = TensorKey.from_allocation(fields)
                if key is not None:
                    allocated[key] = abs(fields.alloc_size)
            else:
                for t in _tensors_of_call(fields):
                    self._update_values(t)
        self._values.update(allocated)

    def _update_values(self, t: _TensorMetadata | None) -> None:
        key = TensorKey.from_tensor(t)
        if key is not None:
            self._values[key] = max(self._values.get(key, 0), nbytes(t))

    _flat_tensor_inputs = staticmethod(flat_tensors)

    def __getitem__(self, key: TensorKey) -> int:
        return self._values[key]


def _tensors_of_call(fields: _ExtraFields_PyCall) -> Iterator[_TensorMetadata | None]:
    for _, parameter, grad in fields.module.parameters if fields.module else ():
        yield from (parameter, grad)
    for parameter, grad, state in fields.optimizer.parameters if fields.optimizer else ():
        yield from (parameter, grad, *(t for _, t in state))
