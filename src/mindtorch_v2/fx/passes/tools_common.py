"""What several passes over graphs need."""

from __future__ import annotations

import collections
from collections.abc import Mapping
from typing import Any

from ...core.tensor import Tensor
from ...nn.modules.module import Module
from ..graph import Graph
from ..graph_module import GraphModule
from ..node import Node

__all__ = ["CALLABLE_NODE_OPS", "NodeList", "NodeSet", "get_acc_ops_name", "get_node_target", "is_node_output_tensor",
           "legalize_graph", "stable_topological_sort"]

NodeList = list[Node]
NodeSet = set[Node]
CALLABLE_NODE_OPS = {"call_module", "call_function", "call_method"}


def attribute_of(module: Module, path: str) -> Any:
    """What a module has under a dotted name."""
    for part in path.split("."):
        module = getattr(module, part)
    return module


def get_node_target(submodules: Mapping[str, Module], node: Node) -> str:
    """The name of what a node calls: a module's class, a function with its module, a method."""
    if node.op not in CALLABLE_NODE_OPS:
        raise AssertionError(f"Expect op types of {', '.join(CALLABLE_NODE_OPS)}, but found {node.op}")
    if node.op == "call_module":
        module = submodules[node.target]
        return getattr(module, "_base_class_origin", type(module)).__module__ + "." + type(module).__name__
    return node.target if node.op == "call_method" else node._pretty_print_target(node.target)


def get_acc_ops_name(k: Any) -> str:
    """A name as backends for accelerators report it."""
    return k if isinstance(k, str) else k.__name__


def is_node_output_tensor(node: Node) -> bool:
    """Whether a node's value is a tensor, as ShapeProp noted."""
    kind = node.meta.get("type")
    return kind is not None and issubclass(kind, Tensor)


def legalize_graph(gm: GraphModule) -> GraphModule:
    """Put nodes behind those that they take, in the place of the graph."""
    return _in_order(gm, first_come=False)


def stable_topological_sort(gm: GraphModule) -> GraphModule:
    """The same; nodes that are in order stay where they are."""
    return _in_order(gm, first_come=True)


def _in_order(gm: GraphModule, first_come: bool) -> GraphModule:
    waiting = {node: len(node.all_input_nodes) for node in gm.graph.nodes}
    ready = collections.deque(node for node, count in waiting.items() if not count)
    if not first_come:
        ready = collections.deque(sorted(ready, key=lambda node: ("placeholder", "get_attr").index(node.op)
                                         if node.op in ("placeholder", "get_attr") else 2))
    graph, copies = Graph(), {}
    while ready:
        node = ready.popleft()
        copies[node] = graph.node_copy(node, copies.__getitem__)
        for user in node.users:
            waiting[user] -= 1
            if not waiting[user]:
                ready.append(user)
    if len(copies) < len(gm.graph.nodes):
        raise RuntimeError(f"Input graph has cycles, unable to add {[n for n in gm.graph.nodes if n not in copies]}")
    graph._codegen = gm.graph._codegen
    gm.graph = graph
    return gm
