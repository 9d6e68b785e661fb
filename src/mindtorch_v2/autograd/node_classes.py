"""The class of a node as a user sees it: torch has one for each op, named after it."""

from __future__ import annotations

from .op_node import OpNode

_CLASSES: dict[str, type] = {}


def named(node):
    """A node that is shown to somebody. The node of an op gets its own class now: few nodes are ever looked at."""
    if type(node) is OpNode:
        node.__class__ = class_named(node.name().rpartition(":")[2])
    return node


def class_named(name: str) -> type:
    """The class of nodes of this name."""
    if name not in _CLASSES:
        _CLASSES[name] = type(name, (OpNode,), {"__slots__": (), "__module__": "builtins"})
    return _CLASSES[name]
