"""The nodes of a graph as lines of Python, in which names are let go after their last use."""

from __future__ import annotations

import builtins
import enum
import operator
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import UnionType
from typing import Any

from ..core.device import device
from .node import Argument, Node
from .node_text import qualified_name, type_text

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


@dataclass
class PythonCode:
    """A function's source, and the global names that it uses."""

    src: str
    globals: dict[str, Any]
    _lineno_map: dict[int, int | None] | None
    _prologue_start: int = 0


def known_globals() -> dict[str, Any]:
    """The names that all code of graphs may use."""
    from .. import torch
    from ..utils import _pytree as pytree
    from . import _pytree as fx_pytree
    return {"inf": float("inf"), "nan": float("nan"), "NoneType": type(None), "torch": torch, "device": device,
            "fx_pytree": fx_pytree, "pytree": pytree}


class _Text:
    """Code that an output line shows as it stands."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


class Lines:
    """The lines of one graph, and what its function's head says."""

    def __init__(self, nodes: Iterable[Node], root: str, more_globals: list[tuple[str, Any]],
                 returning: Callable[[Argument], str], with_stacks: bool = False) -> None:
        self.nodes, self.root, self.returning, self.with_stacks = list(nodes), root, returning, with_stacks
        self._last_stack: str | None = ""
        self.globals = {**known_globals(), **dict(more_globals)}
        self.parameters: list[str] = []
        self.returns = ""
        self.wrapped: dict[str, None] = {}  # functions that are recorded as they are when the code is traced again

    def value(self, argument: Argument) -> str:
        """An argument as code."""
        if isinstance(argument, Node):
            return repr(argument)
        if isinstance(argument, tuple) and hasattr(argument, "_fields"):
            inner = ", ".join(map(self.value, argument)) + "," * (len(argument) == 1)
            return f"{self.name_of(type(argument))}({inner})"
        if isinstance(argument, (tuple, list)):
            inner = ", ".join(map(self.value, argument)) + "," * (not isinstance(argument, list) and len(argument) == 1)
            return f"[{inner}]" if isinstance(argument, list) else f"({inner})"
        if isinstance(argument, dict):
            return "{" + ", ".join(f"{key!r}: {self.value(item)}" for key, item in argument.items()) + "}"
        if isinstance(argument, slice):
            return f"slice({', '.join(map(self.value, (argument.start, argument.stop, argument.step)))})"
        if isinstance(argument, enum.Enum):
            return f"{self.name_of(type(argument))}.{argument.name}"
        if isinstance(argument, type) or callable(argument):
            return self.name_of(argument)
        return repr(argument)

    def name_of(self, known: Callable) -> str:
        """A function or class by a name that the code's globals know."""
        name = qualified_name(known)
        if name.startswith("torch."):
            return name
        if name.startswith("builtins."):
            return name.removeprefix("builtins.")
        return self.global_name(name, known)

    def global_name(self, name: str, value: Any) -> str:
        """A name among the globals for a value, like this one."""
        base = re.sub(r"[^0-9a-zA-Z_]+", "_", name)
        base = short = f"_{base}" if base[:1].isdigit() else base
        number = 0
        while short in self.globals and self.globals[short] is not value:
            number += 1
            short = f"{base}_{number}"
        self.globals[short] = value
        return short

    def annotation(self, kind: Any) -> str:
        """A type as code: parts of generic ones are written out."""
        if kind == ():
            return "()"
        name = type_text(kind)
        if name.startswith(("torch.", "mindtorch_v2.")) and isinstance(kind, type):
            return self.name_of(kind)
        if kind is type(None):
            return "NoneType"
        if isinstance(kind, UnionType):
            return " | ".join(map(self.annotation, kind.__args__))
        origin, parts = getattr(kind, "__origin__", None), getattr(kind, "__args__", None)
        if origin is None:
            return name if getattr(builtins, name, None) is kind else self.global_name(name, kind)
        if parts and not getattr(kind, "__parameters__", ()):
            bare = type_text(kind).partition("[")[0]
            head = bare if getattr(builtins, bare, None) is origin else self.global_name(bare, _generic(kind, bare))
            return f"{head}[{','.join(map(self.annotation, parts))}]"
        return self.global_name(name, kind)

    def attribute(self, target: str) -> str:
        """``self.a.b``; a part that is no name is asked for with getattr()."""
        text = self.root
        for part in target.split("."):
            text = f"{text}.{part}" if part.isidentifier() else f'getattr({text}, "{part}")'
        return text

    def arguments(self, args: tuple, kwargs: dict) -> str:
        return ", ".join([*map(self.value, args), *(f"{key} = {self.value(item)}" for key, item in kwargs.items())])

    def call(self, node: Node) -> str:
        """What a node does, as an expression."""
        target, args, kwargs = node.target, node.args, node.kwargs
        if node.op == "get_attr":
            return self.attribute(target)
        if node.op == "call_module":
            return f"{self.attribute(target)}({self.arguments(args, kwargs)})"
        if node.op == "call_method":
            return f"{self.value(args[0])}.{target}({self.arguments(args[1:], kwargs)})"
        if target in _INFIX and not kwargs:
            return _INFIX[target].format(*map(self.value, args))
        if target is builtins.getattr and len(args) == 2 and isinstance(args[1], str) and args[1].isidentifier():
            return f"{self.value(args[0])}.{args[1]}"
        name = self.name_of(target)
        if node.meta.get("is_wrapped"):
            self.wrapped.setdefault(name)
        return f"{name}({self.arguments(args, kwargs)})"

    def statement(self, node: Node) -> str:
        """A node as a line."""
        kind = "" if node.type is None else f" : {self.annotation(node.type)}"
        if node.op == "call_function" and node.target in _INPLACE and not node.kwargs:
            first = self.value(node.args[0])
            return f"{first} {_INPLACE[node.target]} {self.value(node.args[1])};  {node!r}{kind} = {first}"
        return f"{node!r}{kind} = {self.call(node)}"

    def last_uses(self) -> dict[Node, list[Node]]:
        """For each node, those that nobody takes after it."""
        seen: set[Node] = set()
        dropped: dict[Node, list[Node]] = {}
        for node in reversed(self.nodes):
            for taken in node.all_input_nodes:
                if taken not in seen:
                    seen.add(taken)
                    dropped.setdefault(node, []).append(taken)
        return dropped

    def parameter(self, node: Node) -> str:
        kind = "" if node.type is None else f" : {self.annotation(node.type)}"
        default = f" = {self.value(node.args[0])}" if node.args else ""
        return f"{node.target}{kind}{default}"

    def stack_of(self, place: int, node: Node) -> Iterator[tuple[int, str]]:
        """Where a node was recorded, if lines say that and it is not where the one before was."""
        if not self.with_stacks or node.stack_trace == self._last_stack:
            return
        self._last_stack = node.stack_trace
        frames = re.findall(r'File "(.+)", line (\d+), in (.+)\n(?: {4}(.*))?', node.stack_trace or "")
        if not frames:
            yield place, "\n# No stacktrace found for following nodes"
        else:
            file, line, function, code = frames[-1]
            yield place, f"\n# File: {file}:{line} in {function}, code: {code.strip()}"

    def write(self) -> Iterator[tuple[int, str]]:
        """Lines of the function with the places of their nodes."""
        dropped = self.last_uses()
        for place, node in enumerate(self.nodes):
            if node.op == "placeholder":
                self.parameters.append(self.parameter(node))
                plain = node.target.lstrip("*")
                if plain != repr(node):
                    yield place, f"{node!r} = {plain}"
            elif node.op == "output":
                self.returns = "" if node.type is None else f" -> {self.annotation(node.type)}"
                yield place, self.returning(_Text(self.value(node.args[0])))
            else:
                gone = [*dropped.get(node, []), *([node] if not node.users else [])]
                yield from self.stack_of(place, node)
                yield place, self.statement(node) + (f";  {' = '.join(map(repr, gone))} = None" if gone else "")


def _generic(kind: Any, name: str) -> Any:
    """``typing.List`` of ``typing.List[int]``."""
    import typing
    return getattr(typing, name.rpartition(".")[2], kind.__origin__)
