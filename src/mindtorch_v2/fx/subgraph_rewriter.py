"""replace_pattern: parts of a graph that compute as one function does, made to compute as another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ._symbolic_trace import symbolic_trace
from .graph import Graph
from .graph_module import GraphModule
from .node import Argument, Node, nodes_in

__all__ = ["Match", "replace_pattern"]


class Match(NamedTuple):
    """A part that was replaced: the last node of the pattern, and the node for each of the pattern's."""

    anchor: Node
    nodes_map: dict[Node, Node]


def replace_pattern(gm: GraphModule, pattern: Callable | GraphModule,
                    replacement: Callable | GraphModule) -> list[Match]:
    """Put the calls of ``replacement`` in the place of those of ``pattern`` wherever these are found, none twice."""
    wanted, instead = _graph_of(pattern), _graph_of(replacement)
    returned = wanted.output_node().args[0]
    last = returned[0] if isinstance(returned, (tuple, list)) and len(returned) == 1 else returned
    if not isinstance(last, Node):
        raise NotImplementedError("replace_pattern: a pattern returns one value; got one that returns "
                                  f"{type(returned).__name__}")
    matches, taken = [], set()
    for node in list(gm.graph.nodes):
        nodes_map = _matched(last, node)
        inner = {} if nodes_map is None else {p: n for p, n in nodes_map.items() if p.op != "placeholder"}
        if not inner or taken & set(inner.values()) or not _is_closed(inner, node):
            continue
        taken |= set(inner.values())
        matches.append(Match(last, nodes_map))
    replaced: dict[Node, Argument] = {}  # a match may take what an earlier one gave
    for match in matches:
        _put(gm.graph, match, wanted, instead, replaced)
    gm.recompile()
    return matches


def _graph_of(what: Callable | Graph | GraphModule) -> Graph:
    if isinstance(what, Graph):
        return what
    return what.graph if isinstance(what, GraphModule) else symbolic_trace(what).graph


def _matched(last: Node, node: Node) -> dict[Node, Node] | None:
    """The node for each of a pattern's, if this one computes what its last one does."""
    nodes_map: dict[Node, Node] = {}
    return nodes_map if _same(last, node, nodes_map) else None


def _same(wanted: Any, have: Any, nodes_map: dict[Node, Node]) -> bool:
    """Whether two arguments are alike; the pattern's inputs are like anything that is always the same."""
    if isinstance(wanted, Node):
        if wanted in nodes_map:
            return nodes_map[wanted] is have
        alike = wanted.op == "placeholder" and isinstance(have, Node) or (
            isinstance(have, Node) and wanted.op == have.op and wanted.target == have.target
            and _same(wanted.args, have.args, nodes_map) and _same(wanted.kwargs, have.kwargs, nodes_map))
        if alike:
            nodes_map[wanted] = have
        return alike
    if isinstance(wanted, (tuple, list)):
        return isinstance(have, (tuple, list)) and len(wanted) == len(have) and all(
            _same(a, b, nodes_map) for a, b in zip(wanted, have))
    if isinstance(wanted, dict):
        return isinstance(have, dict) and wanted.keys() == have.keys() and all(
            _same(wanted[key], have[key], nodes_map) for key in wanted)
    return type(wanted) is type(have) and wanted == have


def _is_closed(inner: dict[Node, Node], last: Node) -> bool:
    """Whether nobody outside takes what the part computes on the way."""
    nodes = set(inner.values())
    return all(node is last or set(node.users) <= nodes for node in nodes)


def _put(graph: Graph, match: Match, wanted: Graph, instead: Graph, replaced: dict[Node, Argument]) -> None:
    """Copy the replacement before the first node that takes the part's result, and drop the part."""
    anchor = match.nodes_map[match.anchor]
    first_user = next((node for node in graph.nodes if node in anchor.users), anchor)
    inputs = [match.nodes_map[node] for node in wanted.find_nodes(op="placeholder") if node in match.nodes_map]
    inputs = [replaced.get(node, node) for node in inputs]
    values = dict(zip(instead.find_nodes(op="placeholder"), inputs))
    with graph.inserting_before(first_user):
        result = graph.graph_copy(instead, values)
    result = result[0] if isinstance(result, (tuple, list)) and len(result) == 1 else result
    if nodes_in([result]):
        anchor.replace_all_uses_with(result)
    replaced[anchor] = result
    for pattern_node, node in reversed(list(match.nodes_map.items())):
        if pattern_node.op != "placeholder" and not node.users:
            graph.erase_node(node)
