"""Nodes, their arguments and what they call, in words."""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable
from types import FunctionType, GenericAlias
from typing import TYPE_CHECKING, Any

from ..api.install import FUNCTIONS
from ..api.namespace import OpOverload, OpOverloadPacket

if TYPE_CHECKING:
    from .node import Node

FAMILIES = ("fft", "linalg", "special")  # ops whose functions stand in modules of their own, under other names
NO_LIMIT = float("inf")


def qualified_name(function: Callable) -> str:
    """The name by which a program finds a function: torch's own are found in torch, not where they are written."""
    name = getattr(function, "__name__", None)
    if name is None:
        return repr(function)
    for module in (builtins, operator, math):
        if getattr(module, name, None) is function:
            return f"{module.__name__}.{name}"
    if FUNCTIONS.get(name) is function:
        family = name.partition("_")[0]
        return f"torch._C._{family}.{name}" if family in FAMILIES else f"torch.{name}"
    if isinstance(function, (OpOverload, OpOverloadPacket)):
        return f"torch.ops.{function}"
    from .. import torch
    from ..nn import functional
    for module, text in ((vars(torch), "torch"), (vars(functional), "torch.nn.functional")):
        if module.get(name) is function:
            return f"{text}.{name}"
    return f"{getattr(function, '__module__', None) or 'torch'}.{getattr(function, '__qualname__', name)}"


def type_text(annotation: Any) -> str:
    """A type as annotations write it."""
    if isinstance(annotation, type) and not isinstance(annotation, GenericAlias):
        name = annotation.__qualname__
        return name if annotation.__module__ == "builtins" else f"{annotation.__module__}.{name}"
    if annotation is ...:
        return "..."
    return annotation.__name__ if isinstance(annotation, FunctionType) else repr(annotation)


def _format_arg(arg: Any, max_list_len: float = NO_LIMIT) -> str:
    """An argument as a line shows it: nodes with a percent sign, words without quotes, of long lists the beginning."""
    if hasattr(arg, "_custom_fx_repr_fn"):
        return arg._custom_fx_repr_fn()
    if isinstance(arg, (tuple, list)):
        shown = arg if max_list_len == NO_LIMIT else arg[:int(max_list_len)]
        inner = ", ".join(map(_format_arg, shown)) + "," * (isinstance(arg, tuple) and len(arg) == 1)
        inner += f", ...[total_len={len(arg)}]" * (len(arg) >= max_list_len + 1)
        return f"[{inner}]" if isinstance(arg, list) else f"({inner})"
    if isinstance(arg, dict):
        return "{" + ", ".join(f"{key}: {_format_arg(item)}" for key, item in arg.items()) + "}"
    return f"%{arg}" if hasattr(arg, "all_input_nodes") else str(arg)


def node_line(node: Node, max_list_len: float = NO_LIMIT) -> str:
    """A line that describes a node."""
    target = node.target if isinstance(node.target, str) else node._pretty_print_target(node.target)
    kind = "" if node.type is None else f"{type_text(node.type)} "
    head = f"%{node.name} : {kind}[num_users={len(node.users)}] = {node.op}[target={target}]"
    if node.op == "placeholder":
        return head + (f"(default={node.args[0]})" if node.args else "")
    if node.op == "get_attr":
        return head
    if node.op == "output":
        return f"return {node.args[0]}"
    return (f"{head}(args = {_format_arg(node.args, max_list_len)}, "
            f"kwargs = {_format_arg(node.kwargs, max_list_len)})")
