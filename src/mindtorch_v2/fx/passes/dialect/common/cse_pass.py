"""CSEPass: of calls that are the same, all but the first go."""

from __future__ import annotations

from typing import Any

from .....api.namespace import OpOverloadPacket, aten
from ....graph import Graph
from ....graph_module import GraphModule
from ....node import Node, map_arg
from ...infra.pass_base import PassBase, PassResult

_RANDOM = """dropout _fused_dropout _standard_gamma bernoulli multinomial native_dropout normal poisson binomial rrelu
             rand_like rand randint randn randperm"""
_INPLACE = "add_ sub_ mul_ div_ pow_ lerp_ relu_ sigmoid_ tanh_"
rand_ops = {getattr(aten, name) for name in _RANDOM.split() if hasattr(aten, name)}
inplace_ops = {getattr(aten, name) for name in _INPLACE.split()}


def get_CSE_banned_ops() -> set[OpOverloadPacket]:  # noqa: N802  torch's name
    """Ops that are not the same when they are called twice."""
    return rand_ops | inplace_ops


class CSEPass(PassBase):
    """For graphs of functions without effects; others are named by the program."""

    def __init__(self, banned_ops: set | None = None) -> None:
        self.banned_ops = set() if banned_ops is None else banned_ops

    def call(self, graph_module: GraphModule) -> PassResult:
        """A module without calls that were made before."""
        graph, copies, calls = Graph(), {}, {}
        for node in graph_module.graph.nodes:
            call = self._call(node, copies)
            if call is None or call not in calls:
                copies[node] = graph.node_copy(node, copies.__getitem__)
                if call is not None:
                    calls[call] = copies[node]
            else:
                copies[node] = calls[call]
        modified = len(graph.nodes) < len(graph_module.graph.nodes)
        return PassResult(GraphModule(graph_module, graph) if modified else graph_module, modified)

    def _call(self, node: Node, copies: dict[Node, Node]) -> Any:
        """What tells one call from another; None for what must stay."""
        packet = getattr(node.target, "overloadpacket", node.target)
        if node.op in ("placeholder", "output", "get_attr") or packet in self.banned_ops:
            return None
        return _told_apart((node.target, *map_arg((node.args, node.kwargs), copies.__getitem__)))


def _told_apart(value: Any) -> Any:
    """A value with the types in it, so that 1 and 1.0 are two."""
    if isinstance(value, (list, tuple)):
        return type(value).__name__, *map(_told_apart, value)
    if isinstance(value, dict):
        return "dict", *((key, _told_apart(item)) for key, item in value.items())
    return type(value), value
