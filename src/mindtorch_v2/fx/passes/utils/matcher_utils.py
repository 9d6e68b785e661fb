"""SubgraphMatcher: where in a graph the calls of another graph, the pattern, are found."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from ....nn.modules.module import Module
from ...graph import Graph
from ...node import Node
from ..tools_common import attribute_of

__all__ = ["InternalMatch", "SubgraphMatcher"]


@dataclass
class InternalMatch:
    """A part of a graph that computes what the pattern does."""

    anchors: list[Node]  # the pattern's nodes that nothing in it takes but its output
    nodes_map: dict[Node, Node] = field(default_factory=dict)
    placeholder_nodes: list[Node] = field(default_factory=list)  # what stands for the pattern's inputs
    returning_nodes: list[Node] = field(default_factory=list)  # what stands for the pattern's results
    name_node_map: dict[str, Node] = field(default_factory=dict)

    def __copy__(self) -> InternalMatch:
        return InternalMatch(self.anchors, dict(self.nodes_map), list(self.placeholder_nodes),
                             list(self.returning_nodes), dict(self.name_node_map))


class SubgraphMatcher:
    """Looks for a pattern."""

    def __init__(self, pattern: Graph, match_output: bool = False, match_placeholder: bool = False,
                 remove_overlapping_matches: bool = True, ignore_literals: bool = False) -> None:
        self.pattern = pattern
        self.match_output, self.match_placeholder = match_output, match_placeholder
        self.remove_overlapping_matches, self.ignore_literals = remove_overlapping_matches, ignore_literals
        if len(pattern.nodes) == 0:
            raise ValueError("SubgraphMatcher cannot be initialized with an empty pattern")
        for node in pattern.nodes:
            if node.op not in ("output", "placeholder") and not node.users:
                raise AssertionError("SubgraphMatcher cannot be initialized with an pattern with dead code")
        self.pattern_placeholder_nodes = pattern.find_nodes(op="placeholder")
        output = pattern.output_node()
        self.pattern_returning_nodes = output.all_input_nodes
        self.pattern_anchors = [output] if match_output else [
            node for node in output.all_input_nodes if len(node.users) == 1]

    # Whether two things are alike

    def _attributes_are_equal(self, pattern_node: Node, node: Node) -> bool:
        """Modules and parameters are alike if they are of one class."""
        wanted = attribute_of(self.pattern.owning_module, pattern_node.target)
        have = attribute_of(node.graph.owning_module, node.target)
        if isinstance(have, Module):
            return isinstance(wanted, Module) and type(have) is type(wanted)
        return type(have) is type(wanted)

    def _nodes_are_equal(self, pattern_node: Node, node: Node, node_name_match: str = "") -> bool:
        if node_name_match and node_name_match in node.name:
            return True
        if not self.match_placeholder and pattern_node.op == "placeholder":
            return True
        if pattern_node.op != node.op:
            return False
        if pattern_node.op in ("placeholder", "output"):
            return True
        if pattern_node.op in ("get_attr", "call_module"):
            return self._attributes_are_equal(pattern_node, node)
        return pattern_node.target == node.target

    def _literals_are_equal(self, wanted: Any, have: Any, match: InternalMatch) -> bool:
        if isinstance(wanted, Node) and not self.match_placeholder and wanted.op == "placeholder":
            if wanted in match.nodes_map:
                return match.nodes_map[wanted] == have
            match.nodes_map[wanted] = have  # an input of the pattern may stand for a number
            return True
        if isinstance(wanted, Node) or isinstance(have, Node):
            return False
        return self.ignore_literals or type(wanted) is type(have) and wanted == have

    # The walk from anchors to inputs

    def _match_nodes(self, pattern_node: Node, node: Node, match: InternalMatch, node_name_match: str = "") -> bool:
        if not isinstance(node, Node):
            return self._literals_are_equal(pattern_node, node, match)
        if pattern_node in match.nodes_map:
            return match.nodes_map[pattern_node] == node
        if node in match.nodes_map.values() or not self._nodes_are_equal(pattern_node, node, node_name_match):
            return False
        before = copy.copy(match)
        match.nodes_map[pattern_node] = node
        if pattern_node.op == "placeholder":
            return True
        alike = self._match_arguments(pattern_node, node, match)
        if not alike:  # nothing of a failed attempt stays
            match.nodes_map = before.nodes_map
        return alike

    def _match_arguments(self, pattern_node: Node, node: Node, match: InternalMatch) -> bool:
        wanted, have = self._normalized(pattern_node), self._normalized(node)
        if wanted is None or have is None:
            wanted, have = (pattern_node.args, pattern_node.kwargs), (node.args, node.kwargs)
        return self._match_one(wanted, have, match)

    @staticmethod
    def _normalized(node: Node) -> tuple | None:
        """The arguments by the names that an op declares, so that ``f(x, 1)`` is like ``f(x, b=1)``."""
        schema = getattr(node.target, "_schema", None) if node.op == "call_function" else None
        if schema is None:
            return None
        names = [argument.name for argument in schema.arguments]
        given = {**dict(zip(names, node.args)), **node.kwargs}
        defaults = {a.name: a.default_value for a in schema.arguments if a.has_default_value()}
        return tuple(given.get(name, defaults.get(name)) for name in names), {}

    def _match_one(self, wanted: Any, have: Any, match: InternalMatch) -> bool:
        """Whether two arguments are alike, containers part by part."""
        if isinstance(wanted, (tuple, list)) and isinstance(have, (tuple, list)):
            return len(wanted) == len(have) and all(self._match_one(a, b, match) for a, b in zip(wanted, have))
        if isinstance(wanted, dict) and isinstance(have, dict):
            return wanted.keys() == have.keys() and all(self._match_one(wanted[k], have[k], match) for k in wanted)
        if isinstance(wanted, Node) and isinstance(have, Node):
            return self._match_nodes(wanted, have, match)
        return self._literals_are_equal(wanted, have, match)

    # Whole matches

    def _is_contained(self, nodes_map: dict[Node, Node]) -> bool:
        """Whether nobody outside takes what is computed on the way."""
        inside = {node for pattern_node, node in nodes_map.items()
                  if pattern_node.op != "placeholder" and isinstance(node, Node)}
        return all(set(node.users) <= inside for pattern_node, node in nodes_map.items()
                   if pattern_node.op != "placeholder" and pattern_node not in self.pattern_returning_nodes)

    def _attempts(self, candidates: dict[Node, list[Node]], node_name_match: str) -> list[InternalMatch]:
        """Every choice of a node for each anchor that holds together."""
        matches: list[InternalMatch] = []

        def choose(place: int, match: InternalMatch) -> None:
            if place == len(self.pattern_anchors):
                match.placeholder_nodes = [match.nodes_map.get(node) for node in self.pattern_placeholder_nodes]
                match.returning_nodes = [match.nodes_map[node] for node in self.pattern_returning_nodes
                                         if node in match.nodes_map]
                matches.append(match)
                return
            anchor = self.pattern_anchors[place]
            for node in candidates[anchor]:
                attempt = copy.copy(match)
                if self._match_nodes(anchor, node, attempt, node_name_match):
                    choose(place + 1, attempt)

        choose(0, InternalMatch(anchors=self.pattern_anchors))
        return matches

    def match(self, graph: Graph, node_name_match: str = "") -> list[InternalMatch]:
        """Where the pattern is found, none within another; of those that overlap, the last in the graph comes first."""
        candidates = {anchor: [node for node in graph.nodes if self._nodes_are_equal(anchor, node, node_name_match)]
                      for anchor in self.pattern_anchors}
        matches = [match for match in self._attempts(candidates, node_name_match)
                   if self._is_contained(match.nodes_map)]
        if not self.remove_overlapping_matches:
            return matches
        kept: list[InternalMatch] = []
        taken: set[Node] = set()
        for match in matches:
            nodes = {node for pattern_node, node in match.nodes_map.items()
                     if pattern_node.op not in ("placeholder", "output") and isinstance(node, Node)}
            if not nodes & taken:
                taken |= nodes
                kept.append(match)
        return kept

