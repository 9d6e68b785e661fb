"""What may be wrong with a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..nn.modules.module import Module
from .node import OPS, Node

if TYPE_CHECKING:
    from .graph import Graph


def has_attribute(module: Module, path: str) -> bool:
    """Whether a module has something under a dotted name."""
    for part in path.split("."):
        if not hasattr(module, part):
            return False
        module = getattr(module, part)
    return True


def check(graph: Graph) -> None:
    """An error if a node takes one that comes later or is of another graph, or calls what is not there."""
    seen: set[Node] = set()
    names: set[str] = set()
    for node in graph.nodes:
        if node.op not in OPS:
            raise RuntimeError(f"Node {node} had unknown opcode {node.op}!")
        if node.graph is not graph:
            raise RuntimeError(f"Node '{node}' does not belong to this Graph!")
        for taken in node.all_input_nodes:
            _check_taken(graph, taken, node, seen)
        seen.add(node)
        if node.name in names:
            raise RuntimeError(f"Node redefined name {node.name}!")
        names.add(node.name)
        if graph.owning_module is not None and node.op in ("get_attr", "call_module"):
            _check_target(graph.owning_module, node)


def _check_taken(graph: Graph, taken: Node, node: Node, seen: set[Node]) -> None:
    of = f" of Node '{node}' "
    if taken.graph is not graph:
        raise RuntimeError(f"Argument '{taken}'{of}does not belong to this Graph, but was used as an argument! If you "
                           "are copying nodes from another graph, make sure to use ``arg_transform`` on node_copy() "
                           f"to remap values\n{graph}")
    if taken not in seen:
        raise RuntimeError(f"Argument '{taken}'{of}was used before it has been defined! Please check that Nodes in "
                           f"the graph are topologically ordered\n{graph}")


def _check_target(module: Module, node: Node) -> None:
    value, path = module, node.target.split(".")
    for place, part in enumerate(path):
        owner = ".".join(path[:place])
        if not hasattr(value, part):
            raise RuntimeError(f"Node {node} target {node.target} references nonexistent attribute {part} of {owner}")
        value = getattr(value, part)
    if node.op == "call_module" and not isinstance(value, Module):
        raise RuntimeError(f"Node {node} target {node.target} {path[-1]} of {owner} does not reference an nn.Module")
