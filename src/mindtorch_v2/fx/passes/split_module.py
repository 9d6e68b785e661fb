"""split_module: a module with a graph, cut into modules that a function tells apart."""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable
from typing import Any

from ...nn.modules.module import Module
from ..graph import Graph
from ..graph_module import GraphModule
from ..node import Node, map_arg
from .tools_common import attribute_of

__all__ = ["Partition", "split_module"]


class Partition:
    """One part: its nodes, what it takes and gives, and the parts it waits for."""

    def __init__(self, name: str) -> None:
        self.name, self.submod_name = name, f"submod_{name}"
        self.node_names: list[str] = []
        self.inputs: dict[Node, None] = {}
        self.outputs: dict[Node, None] = {}
        self.dependencies: dict[str, None] = {}
        self.dependents: dict[str, None] = {}
        self.graph = Graph()
        self.environment: dict[Node, Node] = {}
        self.targets: dict[str, Any] = {}

    def __repr__(self) -> str:
        return (f"name: {self.name},\n nodes: {self.node_names},\n inputs: {list(self.inputs)},\n outputs: "
                f"{list(self.outputs)},\n partitions depended on: {list(self.dependencies)},\n partition dependents: "
                f"{list(self.dependents)}")


class _Split:
    """The parts of one module."""

    def __init__(self, module: GraphModule, callback: Callable[[Node], Any], affix: str | None) -> None:
        self.module, self.parts, self.of = module, {}, {}
        for node in module.graph.nodes:
            if node.op in ("placeholder", "get_attr", "output"):
                continue
            name = str(callback(node))
            part = self.parts.setdefault(name, Partition(name))
            if affix is not None:
                part.submod_name = f"submod_{affix}_{name}"
            part.node_names.append(node.name)
            self.of[node] = part
        for node in module.graph.nodes:
            for taken in node.all_input_nodes:
                self._cross(taken, node)

    def _cross(self, taken: Node, user: Node) -> None:
        """Note what goes from one part to another, or between one and the module around all."""
        giver, taker = self.of.get(taken), self.of.get(user)
        if giver is taker:
            return
        if giver is not None:
            giver.outputs.setdefault(taken)
        if taker is not None:
            taker.inputs.setdefault(taken)
        if giver is not None and taker is not None:
            giver.dependents.setdefault(taker.name)
            taker.dependencies.setdefault(giver.name)

    def in_order(self, keep_original: bool) -> list[Partition]:
        """The parts, each behind those that it waits for."""
        if keep_original:
            return list(dict.fromkeys(self.of.values()))
        ordered: list[str] = []
        waiting = {name: len(part.dependencies) for name, part in self.parts.items()}
        ready = [name for name, count in waiting.items() if not count]
        while ready:
            ordered.append(ready.pop(0))
            for name in self.parts[ordered[-1]].dependents:
                waiting[name] -= 1
                if not waiting[name]:
                    ready.append(name)
        if len(ordered) != len(self.parts):
            raise RuntimeError("cycle exists between partitions!")
        return [self.parts[name] for name in ordered]


def _fill(part: Partition, split: _Split, names: tuple[bool, bool], qualname_map: dict[str, str] | None,
          tuple_return: bool) -> None:
    """Write the graph of one part."""
    keep_node_name, keep_input_name = names
    for number, node in enumerate(part.inputs):
        name = node.name if keep_input_name else f"arg_{number}"
        default = node.args[0] if node.op == "placeholder" and node.args else ...
        part.environment[node] = part.graph.placeholder(name, node.type, default)
        part.environment[node].meta = dict(node.meta)
    for node in split.module.graph.nodes:
        if split.of.get(node) is not part:
            continue
        part.environment[node] = _copied(part, node, split, keep_node_name, qualname_map)
    returned = tuple(part.environment[node] for node in part.outputs)
    if returned:
        part.graph.output(returned if len(returned) > 1 or tuple_return else returned[0])


def _copied(part: Partition, node: Node, split: _Split, keep_name: bool, qualname_map: dict[str, str] | None) -> Node:
    target = node.target
    if node.op == "call_module":
        target = node.target.replace(".", "_")
        part.targets[target] = attribute_of(split.module, node.target)
        if qualname_map is not None:
            qualname_map[f"{part.submod_name}.{target}"] = node.target
    args, kwargs = map_arg((node.args, node.kwargs), part.environment.__getitem__)
    copied = part.graph.create_node(node.op, target, args, kwargs, node.name if keep_name else None, node.type)
    copied.meta = dict(node.meta)
    return copied


def split_module(m: GraphModule, root_m: Module, split_callback: Callable[[Node], int],
                 qualname_map: dict[str, str] | None = None, keep_original_order: bool | None = False,
                 keep_original_node_name: bool | None = False, keep_original_input_name: bool = True, *,
                 partition_affix: str | None = None, tuple_return: bool = False) -> GraphModule:
    """A module that calls a module for each part; the function says which part a node is in."""
    split = _Split(m, split_callback, partition_affix)
    graph, values, attributes = Graph(), {}, {}
    for node in m.graph.nodes:
        if node.op == "placeholder":
            values[node] = graph.placeholder(node.target, node.type, node.args[0] if node.args else ...)
            values[node].meta = dict(node.meta)
        elif node.op == "get_attr":
            values[node] = graph.get_attr(node.target, node.type)
            attributes[node.target] = attribute_of(m, node.target)
    for part in split.in_order(bool(keep_original_order)):
        _fill(part, split, (bool(keep_original_node_name), keep_original_input_name), qualname_map, tuple_return)
        attributes[part.submod_name] = GraphModule(part.targets, part.graph)
        call = graph.call_module(part.submod_name, tuple(values[node] for node in part.inputs))
        outputs = list(part.outputs)
        if len(outputs) == 1 and not tuple_return:
            values[outputs[0]] = call
        else:
            values.update({node: graph.call_function(operator.getitem, (call, place))
                           for place, node in enumerate(outputs)})
    output = m.graph.output_node()
    graph.output(map_arg(output.args[0], values.__getitem__)).meta = dict(output.meta)
    result = GraphModule(attributes, graph)
    result.meta = copy.copy(m.meta)
    return result
