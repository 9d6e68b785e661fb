"""torch.fx.traceback: what is noted on nodes while they are recorded or run."""

from __future__ import annotations

import functools
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .graph import Graph
    from .node import Node

__all__ = ["NodeSource", "NodeSourceAction", "annotate", "annotate_fn", "format_stack", "get_current_meta",
           "get_current_replay_node", "get_graph_provenance_json", "has_preserved_node_meta", "preserve_node_meta",
           "reset_grad_fn_seq_nr", "set_current_meta", "set_current_replay_node", "set_grad_fn_seq_nr",
           "set_stack_trace"]

current_meta: dict[str, Any] = {}
current_replay_node: Node | None = None
should_preserve_node_meta = False


class NodeSourceAction(Enum):
    """What a pass did with a node."""

    CREATE = "create"
    REPLACE = "replace"


class NodeSource:
    """The node that another was made of, and by which pass."""

    def __init__(self, node: Node | None, pass_name: str = "",
                 action: NodeSourceAction | list[NodeSourceAction] | None = None) -> None:
        self.pass_name, self.name = pass_name, "" if node is None else node.name
        self.action = [] if action is None else action if isinstance(action, list) else [action]
        self.target = "" if node is None else str(node.target)
        self.graph_id = -1 if node is None else id(node.graph)
        self.from_node: list[NodeSource] = [] if node is None else list(node.meta.get("from_node", []))

    def __repr__(self) -> str:
        return self.print_readable()

    def print_readable(self, indent: int = 0) -> str:
        """The sources, each under what was made of it."""
        actions = "+".join(action.name.lower() for action in self.action)
        line = (f"{' ' * indent}(name={self.name}, pass_name={self.pass_name}, action={actions}, "
                f"graph_id={self.graph_id})\n")
        return line + "".join(source.print_readable(indent + 4) for source in self.from_node)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {"name": self.name, "target": self.target, "graph_id": self.graph_id, "pass_name": self.pass_name,
                "action": "+".join(action.name.lower() for action in self.action),
                "from_node": [source.to_dict() for source in self.from_node]}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NodeSource) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.name, self.target, self.graph_id, self.pass_name))


@contextmanager
def preserve_node_meta(enable: bool = True) -> Iterator[None]:
    """Inside, what is noted goes on to nodes that are made."""
    global should_preserve_node_meta, current_meta
    before, noted = should_preserve_node_meta, current_meta.copy()
    should_preserve_node_meta = enable
    try:
        yield
    finally:
        should_preserve_node_meta, current_meta = before, noted


def has_preserved_node_meta() -> bool:
    """Whether notes go on."""
    return should_preserve_node_meta


def get_current_meta() -> dict[str, Any]:
    """What is noted now."""
    return current_meta


@contextmanager
def set_current_meta(node: Node, pass_name: str = "") -> Iterator[None]:
    """Inside, the notes are those of a node."""
    global current_meta
    if not should_preserve_node_meta or not node.meta:
        yield
        return
    before = current_meta
    current_meta = {**node.meta, "from_node": [NodeSource(node, pass_name, NodeSourceAction.CREATE)]}
    try:
        yield
    finally:
        current_meta = before


def set_stack_trace(stack: list[str]) -> None:
    """Note where the program is."""
    if should_preserve_node_meta and stack:
        current_meta["stack_trace"] = "".join(stack)
    elif should_preserve_node_meta:
        current_meta.pop("stack_trace", None)


def format_stack() -> list[str]:
    """Where the program is, as noted or as Python knows it."""
    if should_preserve_node_meta:
        return [current_meta.get("stack_trace", "")]
    return traceback.format_list(traceback.extract_stack()[:-1])


@contextmanager
def annotate(annotation_dict: dict[str, Any]) -> Iterator[None]:
    """Inside, these are among the notes of the program's own."""
    before = current_meta.get("custom")
    current_meta["custom"] = {**(before or {}), **annotation_dict}
    try:
        yield
    finally:
        if before is None:
            del current_meta["custom"]
        else:
            current_meta["custom"] = before


def annotate_fn(annotation_dict: dict[str, Any]) -> Callable[[Callable], Callable]:
    """The same for what a function does."""
    def decorate(function: Callable) -> Callable:
        @functools.wraps(function)
        def annotated(*args, **kwargs):
            with annotate(annotation_dict):
                return function(*args, **kwargs)
        return annotated
    return decorate


def set_grad_fn_seq_nr(seq_nr: int) -> None:
    """Note that the backward of a numbered call begins."""
    if should_preserve_node_meta:
        current_meta["grad_fn_seq_nr"] = [*current_meta.get("grad_fn_seq_nr", []), seq_nr]
        current_meta["in_grad_fn"] = current_meta.get("in_grad_fn", 0) + 1


def reset_grad_fn_seq_nr() -> None:
    """Note that it ends."""
    if not should_preserve_node_meta:
        return
    depth = current_meta.get("in_grad_fn", 0)
    if depth <= 0:
        raise AssertionError(f"Expected current_level > 0, got {depth}")
    if depth == 1:
        del current_meta["in_grad_fn"], current_meta["grad_fn_seq_nr"]
    else:
        current_meta.update(in_grad_fn=depth - 1, grad_fn_seq_nr=current_meta["grad_fn_seq_nr"][:-1])


@contextmanager
def set_current_replay_node(node: Node | None) -> Iterator[None]:
    """Inside, this node is being run again."""
    global current_replay_node
    before, current_replay_node = current_replay_node, node
    try:
        yield
    finally:
        current_replay_node = before


def get_current_replay_node() -> Node | None:
    """The node that is being run again."""
    return current_replay_node


def get_graph_provenance_json(graph: Graph) -> dict[str, Any]:
    """What each node of a graph was made of, as plain values."""
    return {node.name: [source.to_dict() for source in node.meta.get("from_node", [])] for node in graph.nodes}
