"""A graph as Python code: one line for each node, in which names are let go after their last use."""

from __future__ import annotations

import builtins
import operator
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core.device import device
from ..core.dtype import DType
from .node import Argument, Node, qualified_name

if TYPE_CHECKING:
    from .graph import Graph

# Functions that Python writes as signs.
_INFIX = {operator.add: "{} + {}", operator.sub: "{} - {}", operator.mul: "{} * {}", operator.truediv: "{} / {}",
          operator.floordiv: "{} // {}", operator.mod: "{} % {}", operator.pow: "{} ** {}", operator.lshift: "{} << {}",
          operator.rshift: "{} >> {}", operator.and_: "{} & {}", operator.or_: "{} | {}", operator.xor: "{} ^ {}",
          operator.matmul: "{} @ {}", operator.eq: "{} == {}", operator.ne: "{} != {}", operator.lt: "{} < {}",
          operator.gt: "{} > {}", operator.le: "{} <= {}", operator.ge: "{} >= {}", operator.neg: "-{}",
          operator.pos: "+{}", operator.invert: "~{}", operator.getitem: "{}[{}]"}
_INPLACE = {operator.iadd: "+=", operator.isub: "-=", operator.imul: "*=", operator.itruediv: "/=",
            operator.ifloordiv: "//=", operator.imod: "%=", operator.ipow: "**=", operator.imatmul: "@=",
            operator.iand: "&=", operator.ior: "|=", operator.ixor: "^="}


class PythonCode(NamedTuple):
    """A function's source, and the global names that it uses."""

    src: str
    globals: dict[str, Any]


class _Writer:
    """Writes the lines of one graph."""

    def __init__(self, graph: Graph, root: str) -> None:
        self.graph, self.root = graph, root
        self.globals: dict[str, Any] = {"device": device, "inf": float("inf"), "nan": float("nan"),
                                        "NoneType": type(None)}

    def value(self, argument: Argument) -> str:
        """An argument as code."""
        if isinstance(argument, Node):
            return argument.name
        if isinstance(argument, tuple) and hasattr(argument, "_fields"):
            return f"{self.function(type(argument))}{tuple(argument)!r}"
        if isinstance(argument, (tuple, list)):
            inner = ", ".join(map(self.value, argument)) + "," * (type(argument) is not list and len(argument) == 1)
            return f"[{inner}]" if isinstance(argument, list) else f"({inner})"
        if isinstance(argument, dict):
            return "{" + ", ".join(f"{key!r}: {self.value(item)}" for key, item in argument.items()) + "}"
        if isinstance(argument, slice):
            return f"slice({', '.join(map(self.value, (argument.start, argument.stop, argument.step)))})"
        if isinstance(argument, DType):
            self._torch()
        elif isinstance(argument, type) or callable(argument):
            return self.function(argument)
        return repr(argument)

    def function(self, function: Callable) -> str:
        """A function by a name that the code's globals know."""
        name = qualified_name(function)
        if name.startswith("torch."):
            self._torch()
            return name
        if name.startswith("builtins."):
            return name.removeprefix("builtins.")
        short = re.sub(r"\W", "_", name)
        self.globals[short] = function
        return short

    def _torch(self) -> None:
        from .. import torch
        self.globals["torch"] = torch

    def attribute(self, target: str) -> str:
        """``self.a.b``; a part that is no name is asked for with getattr()."""
        text = self.root
        for part in target.split("."):
            text = f"{text}.{part}" if part.isidentifier() else f'getattr({text}, "{part}")'
        return text

    def arguments(self, args: tuple, kwargs: dict) -> str:
        return ", ".join([*map(self.value, args), *(f"{key} = {self.value(item)}" for key, item in kwargs.items())])

    def call(self, node: Node) -> str:
        """A node as an expression or a statement."""
        target, args, kwargs = node.target, node.args, node.kwargs
        if node.op == "get_attr":
            return f"{node} = {self.attribute(target)}"
        if node.op == "call_module":
            return f"{node} = {self.attribute(target)}({self.arguments(args, kwargs)})"
        if node.op == "call_method":
            return f"{node} = {self.value(args[0])}.{target}({self.arguments(args[1:], kwargs)})"
        if target in _INFIX and not kwargs:
            return f"{node} = {_INFIX[target].format(*map(self.value, args))}"
        if target in _INPLACE and not kwargs:
            first = self.value(args[0])
            return f"{first} {_INPLACE[target]} {self.value(args[1])};  {node} = {first}"
        if target is builtins.getattr and len(args) == 2 and str(args[1]).isidentifier():
            return f"{node} = {self.value(args[0])}.{args[1]}"
        return f"{node} = {self.function(target)}({self.arguments(args, kwargs)})"

    def last_uses(self) -> dict[Node, list[Node]]:
        """For each node, those that nobody takes after it."""
        seen: set[Node] = set()
        dropped: dict[Node, list[Node]] = {}
        for node in reversed(self.graph.nodes):
            for taken in node.all_input_nodes:
                if taken not in seen:
                    seen.add(taken)
                    dropped.setdefault(node, []).append(taken)
        return dropped

    def write(self) -> str:
        """The whole function."""
        parameters, lines, dropped = [self.root], [], self.last_uses()
        returned = "return None"
        for node in self.graph.nodes:
            if node.op == "placeholder":
                plain = node.target.lstrip("*")
                default = f" = {self.value(node.args[0])}" if node.args else ""
                parameters.append(f"{node.target}{default}" if plain != node.target else f"{node}{default}")
                if plain != node.target:
                    lines.append(f"{node} = {plain}")
                continue
            if node.op == "output":
                returned = f"return {self.value(node.args[0])}"
                continue
            gone = [*dropped.get(node, []), *([node] if not node.users else [])]
            lines.append(self.call(node) + (f";  {' = '.join(map(str, gone))} = None" if gone else ""))
        body = "".join(f"    {line}\n" for line in (*lines, returned))
        return f"\n\n\ndef forward({', '.join(parameters)}):\n{body}    "


def python_code(graph: Graph, root: str) -> PythonCode:
    """The source of a graph's function, and its globals."""
    writer = _Writer(graph, root)
    source = writer.write()
    return PythonCode(source, writer.globals)
