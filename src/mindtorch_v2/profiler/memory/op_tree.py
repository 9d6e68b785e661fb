"""The event tree as memory analysis reads it: ops in order, the sizes of tensors, parameters and gradients."""

from __future__ import annotations

from collections.abc import Iterator

from ..kineto.event_tree import _ProfilerEvent
from ..kineto.fields import _ExtraFields_PyCall, _ExtraFields_TorchOp, _TensorMetadata
from ..kineto.kinds import _EventType
from ..kineto.traversal import traverse_dfs
from ..table.cached_property import cached_property
from ..views.record_scope import RecordScope
from .analysis import Analysis
from .keys import TensorKey
from .telling import ACCUMULATE, ACCUMULATING


class OpTree:
    """All events of a result."""

    def __init__(self, result):
        self._result = result

    @cached_property
    def _root_nodes(self) -> list[_ProfilerEvent]:
        return self._result.whole_event_tree()

    def dfs(self, *args, **kwargs) -> Iterator[_ProfilerEvent]:
        """All events, parents before children."""
        yield from traverse_dfs(self._root_nodes, *args, **kwargs)

    @cached_property
    def sorted_nodes(self) -> tuple[_ProfilerEvent, ...]:
        """All events by the time they began."""
        return tuple(sorted(self.dfs(), key=lambda event: event.start_time_ns))


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
        for child in node.children[:1] if fields.name == ACCUMULATE else ():
            if child.name in ACCUMULATING:
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


def flat_tensors(op: _ExtraFields_TorchOp) -> Iterator[_TensorMetadata]:
    """The tensors an op was given, those in lists too."""
    for given in op.inputs:
        for value in given if isinstance(given, list) else (given,):
            if isinstance(value, _TensorMetadata):
                yield value


class SizeMap:
    """Bytes behind each key: what was allocated, or the most that a tensor on it spanned."""

    def __init__(self, op_tree: OpTree):
        self._analysis = Analysis.of(op_tree._result)

    _flat_tensor_inputs = staticmethod(flat_tensors)

    @cached_property
    def _values(self) -> dict[TensorKey, int]:
        return {self._analysis.key(number): nbytes for number, nbytes in enumerate(self._analysis.sizes.tolist())}

    def __getitem__(self, key: TensorKey) -> int:
        return self._values[key]
