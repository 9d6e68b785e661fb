"""replace_pattern: parts of a graph that compute as one function does, made to compute as another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ._symbolic_trace import symbolic_trace
from .graph import Graph
from .graph_module import GraphModule
from .lint import has_attribute
from .node import Node
from .passes.utils.matcher_utils import InternalMatch, SubgraphMatcher

__all__ = ["Match", "ReplacedPatterns", "replace_pattern", "replace_pattern_with_filters"]

MatchFilter = Callable[[InternalMatch, Graph, Graph], bool]


class Match(NamedTuple):
    """A part that was replaced: the last node of the pattern, and the node for each of the pattern's."""

    anchor: Node
    nodes_map: dict[Node, Node]


@dataclass
class ReplacedPatterns:
    """The same, and the nodes that stand there now."""

    anchor: Node
    nodes_map: dict[Node, Node]
    replacements: list[Node]


def replace_pattern(gm: GraphModule, pattern: Callable | GraphModule,
                    replacement: Callable | GraphModule) -> list[Match]:
    """Put the calls of ``replacement`` in the place of those of ``pattern`` wherever these are found, none twice."""
    replaced = _replace_pattern(gm, pattern, replacement)
    return [Match(each.anchor, each.nodes_map) for each in replaced]


def replace_pattern_with_filters(gm: GraphModule, pattern: Callable | Graph | GraphModule,
                                 replacement: Callable | Graph | GraphModule | None = None,
                                 match_filters: list[MatchFilter] | None = None, ignore_literals: bool = False,
                                 replacement_callback: Callable[[InternalMatch, Graph, Graph], Graph] | None = None,
                                 node_name_match: str = "") -> list[ReplacedPatterns]:
    """The same where all filters say so; the replacement may be made for each part by itself."""
    return _replace_pattern(gm, pattern, replacement, match_filters, ignore_literals, replacement_callback,
                            node_name_match)


def _graph_of(what: Callable | Graph | GraphModule) -> Graph:
    return what if isinstance(what, Graph) else what.graph if isinstance(what, GraphModule) \
        else symbolic_trace(what).graph


def _replace_pattern(gm: GraphModule, pattern, replacement=None, match_filters: list[MatchFilter] | None = None,
                     ignore_literals: bool = False, replacement_callback=None,
                     node_name_match: str = "") -> list[ReplacedPatterns]:
    wanted, original = _graph_of(pattern), gm.graph
    matcher = SubgraphMatcher(wanted, remove_overlapping_matches=True, ignore_literals=ignore_literals)
    matches = [match for match in matcher.match(original, node_name_match)
               if all(each(match, original, wanted) for each in match_filters or ())]
    if replacement is None and replacement_callback is None:
        raise AssertionError("Must provide either replacement GraphModule or replacement_callback")
    common = None if replacement is None else _graph_of(replacement)
    renewed: dict[Node, Node] = {}  # a match may take what an earlier one gave
    replaced = []
    for match in matches:
        instead = common if replacement_callback is None else replacement_callback(match, original, wanted)
        new_nodes = _put(gm, match, wanted, instead, renewed)
        replaced.append(ReplacedPatterns(match.anchors[0], match.nodes_map, new_nodes))
    gm.recompile()
    if isinstance(replacement, GraphModule) or hasattr(replacement, "named_modules"):
        _bring_along(gm, replacement)
    return replaced


def _put(gm: GraphModule, match: InternalMatch, wanted: Graph, instead: Graph, renewed: dict[Node, Node]) -> list[Node]:
    """Copy the replacement behind what it takes and before who takes its results, and drop the part."""
    graph = gm.graph
    inputs = [renewed.get(node, node) if isinstance(node, Node) else node for node in match.placeholder_nodes]
    values: dict[Node, Any] = dict(zip(instead.find_nodes(op="placeholder"), inputs))
    given = set(values)
    inner = {node for pattern_node, node in match.nodes_map.items()
             if pattern_node.op not in ("placeholder", "output") and isinstance(node, Node)}
    users = {user for node in match.returning_nodes for user in node.users if user not in inner}
    last = next(node for node in reversed(graph.nodes) if node in match.returning_nodes)
    place = next(node for node in graph.nodes if node in users) if users else last.next
    with graph.inserting_before(place):
        result = graph.graph_copy(instead, values)
    results = result if isinstance(result, (tuple, list)) else (result,)
    if len(match.returning_nodes) != len(results):
        raise AssertionError(f"Expected {len(match.returning_nodes)} return nodes, got {len(results)}")
    for node, new in zip(match.returning_nodes, results):
        node.replace_all_uses_with(new, lambda user: user not in inner)
        renewed[node] = new
    for node in reversed(wanted.nodes):
        old = match.nodes_map.get(node)
        if node.op not in ("placeholder", "output") and isinstance(old, Node) and not old.users and not old._erased:
            graph.erase_node(old)
    return [new for node, new in values.items() if node not in given]


def _bring_along(gm: GraphModule, replacement) -> None:
    """Let the module have what the replacement's calls use, and no module that nobody calls."""
    gm.delete_all_unused_submodules()
    for node in gm.graph.nodes:
        reads = node.op in ("call_module", "get_attr") and not has_attribute(gm, node.target)
        if not reads or not has_attribute(replacement, node.target):
            continue
        path, _, name = node.target.rpartition(".")
        value = getattr(replacement.get_submodule(path), name)
        if node.op == "call_module":
            gm.add_submodule(node.target, value)
        else:
            setattr(gm.get_submodule(path) if path else gm, name, value)
    gm.graph.lint()

