"""split_const_subgraphs: what a graph computes of parameters alone, computed once."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

from ...core.tensor import Tensor
from ...nn.modules.container import ParameterList
from ...nn.modules.module import Module
from ...nn.parameter import Parameter
from ...ops.python.construct import tensor
from .._symbolic_trace import symbolic_trace
from ..graph import Graph
from ..graph_module import GraphModule
from ..node import Node, map_arg

__all__ = ["FoldedGraphModule", "get_unique_attr_name_in_module", "split_const_subgraphs"]


class FoldedGraphModule(GraphModule):
    """A module that runs the graph of its constants before its first call."""

    def __init__(self, root: Module, graph: Graph, const_subgraph: Graph | None = None,
                 fx_const_folded_attrs_name: str | None = None, device_for_folded_attrs: str = "cuda") -> None:
        super().__init__(root, graph)
        self.const_subgraph_module = None if const_subgraph is None else GraphModule(root, const_subgraph)
        self.has_folding_been_run = False
        self.fx_const_folded_attrs_name = fx_const_folded_attrs_name
        self.device_for_folded_attrs = device_for_folded_attrs

    def __call__(self, *args, **kwargs):
        if not self.has_folding_been_run:
            self.run_folding()
        return super().__call__(*args)

    def run_folding(self) -> None:
        """Compute the constants."""
        if self.const_subgraph_module is None or self.fx_const_folded_attrs_name is None:
            return
        if self.has_folding_been_run:
            raise AssertionError("Folding has already been run")
        self.has_folding_been_run = True
        folded = self.const_subgraph_module()
        kept = ParameterList([self._parameter(each) for each in folded]) if isinstance(folded, tuple) \
            else self._parameter(folded)
        setattr(self, self.fx_const_folded_attrs_name, kept)

    def _parameter(self, value: Tensor | int) -> Parameter:
        if not isinstance(value, Tensor):
            return Parameter(tensor([value], device=self.device_for_folded_attrs), requires_grad=False)
        return Parameter(value.detach().clone(), requires_grad=value.requires_grad)


def get_unique_attr_name_in_module(mod_traced: GraphModule, name: str) -> str:
    """A name like this one that a module has no attribute of."""
    name = re.sub(r"[^0-9a-zA-Z_]+", "_", name)
    name = f"_{name}" if name[0].isdigit() else name
    while hasattr(mod_traced, name):
        match = re.fullmatch(r"(.*)_(\d+)", name)
        name = f"{name}_1" if match is None else f"{match[1]}_{int(match[2]) + 1}"
    return name


def _constants(graph: Graph, skip: Callable[[Node], bool] | None) -> dict[Node, None]:
    """The nodes that take nothing but parameters and each other, parameters included."""
    constant: dict[Node, None] = {}
    for node in graph.nodes:
        if node.op in ("placeholder", "output") or not set(node.all_input_nodes) <= set(constant):
            continue
        if node.op != "get_attr" and not node.all_input_nodes or skip is not None and skip(node) or node.is_impure():
            continue
        constant[node] = None
    return constant


def split_const_subgraphs(module: Module | GraphModule, skip_folding_node_fn: Callable[[Node], bool] | None = None,
                          device_for_folded_attrs: str = "cpu") -> FoldedGraphModule:
    """A module with the graph of its constants apart; a function may say what is not to be folded."""
    traced = module if isinstance(module, GraphModule) else symbolic_trace(module)
    constant = _constants(traced.graph, skip_folding_node_fn)
    if all(node.op == "get_attr" for node in constant):
        return FoldedGraphModule(traced, traced.graph)
    given = [node for node in constant if node.op != "get_attr" and any(user not in constant for user in node.users)]
    folding, values = Graph(), {}
    for node in constant:
        values[node] = folding.node_copy(node, values.__getitem__)
    returned = tuple(values[node] for node in given)
    folding.output(returned if len(returned) > 1 else returned[0])
    name = get_unique_attr_name_in_module(traced, "_FX_CONST_FOLDED_ATTRS")
    setattr(traced, name, ParameterList() if len(given) > 1 else Parameter(tensor(0.0)))
    graph = _without(traced.graph, constant, given, name)
    return FoldedGraphModule(traced, graph, folding, name, device_for_folded_attrs)


def _without(graph: Graph, constant: dict[Node, None], given: list[Node], name: str) -> Graph:
    """The graph with an attribute in the place of what was folded."""
    rest, values = Graph(), {}
    folded: Any = None
    for node in graph.nodes:
        if node in given and folded is None:
            folded = rest.get_attr(name)
            for place, each in enumerate(given):
                values[each] = rest.call_function(operator.getitem, (folded, place)) if len(given) > 1 else folded
                values[each].meta.update(each.meta)
        still_read = node.op == "get_attr" and any(user not in constant for user in node.users)
        if node.op == "output":
            rest.output(map_arg(node.args[0], values.__getitem__)).meta.update(node.meta)
        elif node not in constant or still_read:
            values[node] = rest.node_copy(node, values.__getitem__)
    return rest
