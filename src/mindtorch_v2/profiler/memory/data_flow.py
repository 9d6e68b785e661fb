"""How tensors flow: what each top-level op reads, writes, makes and drops, with versions counted per tensor."""

from __future__ import annotations

from dataclasses import dataclass

from ..kineto.event_tree import _ProfilerEvent
from ..kineto.fields import _TensorMetadata
from ..kineto.kinds import _EventType
from ..kineto.traversal import traverse_dfs
from ..views.record_scope import RecordScope
from .keys import TensorKey
from .op_tree import OpTree
from .schemas import SchemaMatcher


@dataclass(slots=True)
class DataFlowEdge:
    """One tensor's part in a node: the version that came in (None: made here) and whether it was written to
    (None: dropped)."""

    input_version: int | None = None
    mutated: bool | None = False

    @property
    def is_allocation(self) -> bool:
        return self.input_version is None

    @property
    def is_deletion(self) -> bool:
        return self.mutated is None


class DataFlowNode:
    """One op of the user's (or a memory change outside of all), with everything that happened inside it."""

    __slots__ = ("_edges", "_event", "_graph")

    def __init__(self, event: _ProfilerEvent, graph: DataFlowGraph):
        self._event, self._graph = event, graph
        self._edges = self._determine_edges()
        for key, edge in self._edges.items():
            if edge.is_deletion and not edge.is_allocation:
                graph.delete(key)
            elif edge.mutated and not edge.is_allocation:
                graph.bump(key)
            elif edge.is_allocation and not edge.is_deletion:
                graph.lookup(key)

    @property
    def in_backward(self) -> bool:
        return bool(self._event._tree.in_backward[self._event._node])

    def _determine_edges(self) -> dict[TensorKey, DataFlowEdge]:
        seen: dict[TensorKey, DataFlowEdge] = {}
        released = set()
        for event in traverse_dfs([self._event]):
            tag, fields = event.tag, None if event.tag is _EventType.PyCall else event.extra_fields
            if tag is _EventType.TorchOp:
                # Of an op that torch knows nothing about and that calls nothing, it assumes the worst.
                unknown = not event.children and event is self._event
                for key, mutable in _given(fields):
                    if key not in seen:
                        seen[key] = DataFlowEdge(self._graph.lookup(key))
                    seen[key].mutated = seen[key].mutated or (unknown if mutable is None else mutable)
            elif tag is _EventType.Allocation:
                key = TensorKey.from_allocation(fields)
                if key is None:
                    continue
                if fields.alloc_size > 0:
                    seen[key] = DataFlowEdge()
                else:
                    released.add(key)
                    if key not in seen:
                        seen[key] = DataFlowEdge(self._graph.lookup(key))
        for key in released:
            seen[key].mutated = None
        return dict(sorted(seen.items())) if len(seen) > 1 else seen

    @property
    def inputs(self) -> dict[TensorKey, tuple[bool, int]]:
        """What came in: whether it was written to, and its version."""
        return {key: (bool(edge.mutated), edge.input_version) for key, edge in self._edges.items()
                if not edge.is_allocation}

    @property
    def outputs(self) -> dict[TensorKey, int]:
        """What was made or written, and its version afterwards."""
        return {key: 0 if edge.is_allocation else edge.input_version + 1 for key, edge in self._edges.items()
                if (edge.is_allocation and not edge.is_deletion) or (edge.mutated and not edge.is_allocation)}

    @property
    def intermediates(self) -> tuple[TensorKey, ...]:
        """What was made and dropped within."""
        return tuple(key for key, edge in self._edges.items() if edge.is_allocation and edge.is_deletion)

    @property
    def start_time(self) -> int:
        return self._event.start_time_ns

    def __repr__(self) -> str:
        return f"<{self._event.name}: {list(self.inputs)} -> {list(self.outputs)}>"


def _given(op):
    """(key, whether it is written to if that is known) of every tensor an op was given."""
    for value, mutable in zip(op.inputs, SchemaMatcher.inputs_are_mutable(op)):
        for t in value if isinstance(value, list) else (value,):
            key = TensorKey.from_tensor(t) if isinstance(t, _TensorMetadata) else None
            if key is not None:
                yield key, mutable


class DataFlowGraph:
    """All nodes in order of time, and the version every tensor has reached."""

    def __init__(self, op_tree: OpTree):
        self._op_tree = op_tree
        self._leaf_events = self._extract_leaf_events(op_tree)
        self._active_version: dict[TensorKey, int | None] = {}
        self._flow_nodes = [DataFlowNode(event, self) for event in self._leaf_events]
        self._flow_nodes.sort(key=lambda node: node.start_time)
        self.validate()

    @property
    def flow_nodes(self) -> tuple[DataFlowNode, ...]:
        return tuple(self._flow_nodes)

    def validate(self) -> None:
        """Check that no node reads a version before an earlier one was written over."""
        reached: dict[TensorKey, int] = {}
        for node in self._flow_nodes:
            for key, edge in node._edges.items():
                version = edge.input_version
                expected = None if edge.is_allocation else reached.setdefault(key, version)
                if expected != version:
                    raise AssertionError(f"version mismatch for {key}: {expected} was reached, {version} is read")
            reached.update(node.outputs)

    @property
    def leaf_events(self) -> tuple[_ProfilerEvent, ...]:
        return self._leaf_events

    @staticmethod
    def _extract_leaf_events(op_tree: OpTree) -> tuple[_ProfilerEvent, ...]:
        """The outermost events that are backward nodes, ops torch knows, or memory changes; by time."""
        leaves: list[_ProfilerEvent] = []

        def children(event: _ProfilerEvent) -> list[_ProfilerEvent]:
            if not _is_leaf(event):
                return event.children
            leaves.append(event)
            return []

        for _ in op_tree.dfs(children_fn=children):
            pass
        return tuple(sorted(leaves, key=lambda event: event.start_time_ns))

    def lookup(self, key: TensorKey) -> int:
        """The version a tensor has reached; 0 for one never seen before."""
        version = self._active_version.setdefault(key, 0)
        if version is None:
            raise AssertionError(f"version for key {key} is None")
        return version

    def bump(self, key: TensorKey) -> None:
        """Count a write."""
        version = self._active_version.get(key)
        if version is None:
            raise AssertionError(f"prior_version for key {key} is None")
        self._active_version[key] = version + 1

    def delete(self, key: TensorKey) -> None:
        """Note that a tensor's memory was released."""
        if self._active_version.setdefault(key, 0) is None:
            raise AssertionError(f"version for key {key} is None")
        self._active_version[key] = None


def _is_leaf(event: _ProfilerEvent) -> bool:
    tag = event.tag
    if tag is _EventType.TorchOp:
        op = event.extra_fields
        return op.scope is RecordScope.BACKWARD_FUNCTION or (
            op.scope is RecordScope.FUNCTION and bool(SchemaMatcher.match_schemas(op)))
    return tag is _EventType.Allocation
