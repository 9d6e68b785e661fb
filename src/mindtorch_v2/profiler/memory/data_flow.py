"""How tensors flow, as torch shows it: nodes with their inputs and outputs as objects, made when somebody looks."""

from __future__ import annotations

from dataclasses import dataclass

from ..kineto.event_tree import _ProfilerEvent
from ..table.cached_property import cached_property
from .analysis import Analysis
from .keys import TensorKey
from .op_tree import OpTree


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

    def __init__(self, event: _ProfilerEvent, graph: DataFlowGraph):
        self._event, self._graph = event, graph

    @cached_property
    def _edges(self) -> dict[TensorKey, DataFlowEdge]:
        return self._graph.edges_of(self._event._node)

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


class DataFlowGraph:
    """All nodes in order of time, and the version every tensor has reached."""

    def __init__(self, op_tree: OpTree):
        self._op_tree = op_tree
        self._analysis = Analysis.of(op_tree._result)

    @cached_property
    def leaf_events(self) -> tuple[_ProfilerEvent, ...]:
        """The outermost events that are backward nodes, ops torch knows, or memory changes; by time."""
        return tuple(map(self._analysis.tree.node, self._analysis.steps.node.tolist()))

    _leaf_events = property(lambda self: self.leaf_events)

    @cached_property
    def flow_nodes(self) -> tuple[DataFlowNode, ...]:
        return tuple(DataFlowNode(event, self) for event in self.leaf_events)

    _flow_nodes = property(lambda self: list(self.flow_nodes))

    @cached_property
    def _step_of_node(self) -> dict[int, int]:
        return {node: step for step, node in enumerate(self._analysis.steps.node.tolist())}

    def edges_of(self, node: int) -> dict[TensorKey, DataFlowEdge]:
        """What an event of the tree does with tensors, in the order of their keys."""
        edges, step = self._analysis.edges, self._step_of_node[node]
        here = slice(edges.first[step], edges.first[step + 1])
        columns = (edges.key, edges.version, edges.is_made, edges.is_changed, edges.is_dropped)
        return {self._analysis.key(key): DataFlowEdge(None if is_made else version, None if is_dropped else is_changed)
                for key, version, is_made, is_changed, is_dropped in zip(*(c[here].tolist() for c in columns))}

    @cached_property
    def _active_version(self) -> dict[TensorKey, int | None]:
        """The version each tensor has reached; None if its memory was released."""
        edges = self._analysis.edges
        gone = set(edges.key[edges.is_dropped & ~edges.is_made].tolist())
        met = dict.fromkeys(edges.key[~(edges.is_dropped & edges.is_made)].tolist())
        return {self._analysis.key(key): None if key in gone else int(edges.last_version[key]) for key in met}

    def validate(self) -> None:
        """Check that no node reads a version before an earlier one was written over."""
        reached: dict[TensorKey, int] = {}
        for node in self.flow_nodes:
            for key, edge in node._edges.items():
                version = edge.input_version
                expected = None if edge.is_allocation else reached.setdefault(key, version)
                if expected != version:
                    raise AssertionError(f"version mismatch for {key}: {expected} was reached, {version} is read")
            reached.update(node.outputs)

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
