"""Node: one call of a graph, with the nodes it takes and those that take it."""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ..api.install import FUNCTIONS
from ..core.size import Size
from ..opdef.results import is_named
from .immutable_collections import immutable_dict, immutable_list

if TYPE_CHECKING:
    from .graph import Graph

Target = Callable | str
Argument = Any
OPS = ("placeholder", "call_method", "call_module", "call_function", "get_attr", "output", "root")
_side_effects: set = set()


def has_side_effect(fn: Callable) -> Callable:
    """Say that calls of a function must stay though nobody uses their results."""
    _side_effects.add(fn)
    return fn


def map_aggregate(a: Argument, fn: Callable[[Argument], Argument]) -> Argument:
    """An argument with what a function makes of everything in its containers."""
    if isinstance(a, tuple):
        mapped = tuple(map_aggregate(item, fn) for item in a)
        if hasattr(a, "_fields") and not is_named(type(a)):
            return type(a)(*mapped)
        return Size(mapped) if type(a) is Size else mapped
    if isinstance(a, list):
        return immutable_list([map_aggregate(item, fn) for item in a])
    if isinstance(a, dict):
        return immutable_dict({key: map_aggregate(value, fn) for key, value in a.items()})
    if isinstance(a, slice):
        return slice(*(map_aggregate(part, fn) for part in (a.start, a.stop, a.step)))
    return fn(a)


def map_arg(a: Argument, fn: Callable[[Node], Argument]) -> Argument:
    """An argument with what a function makes of the nodes in it."""
    if not callable(fn):
        raise AssertionError("torch.fx.map_arg(a, fn): fn must be a callable")
    return map_aggregate(a, lambda x: fn(x) if isinstance(x, Node) else x)


FAMILIES = ("fft", "linalg", "special")  # ops whose functions stand in modules of their own, under other names


def qualified_name(function: Callable) -> str:
    """The name by which a program finds a function: torch's own are found in torch, not where they are written."""
    name = getattr(function, "__name__", None)
    if name is None:
        return repr(function)
    if getattr(builtins, name, None) is function:
        return f"builtins.{name}"
    if getattr(operator, name, None) is function:
        return f"operator.{name}"
    if getattr(math, name, None) is function:
        return f"math.{name}"
    if FUNCTIONS.get(name) is function:
        family = name.partition("_")[0]
        return f"torch._C._{family}.{name}" if family in FAMILIES else f"torch.{name}"
    from ..nn import functional
    if getattr(functional, name, None) is function:
        return f"torch.nn.functional.{name}"
    return f"{getattr(function, '__module__', None) or 'torch'}.{getattr(function, '__qualname__', name)}"


class Node:
    """An op of OPS, what it calls, and its arguments, among which are nodes."""

    def __init__(self, graph: Graph, name: str, op: str, target: Target, args: tuple[Argument, ...],
                 kwargs: dict[str, Argument], return_type: Any = None) -> None:
        if op not in OPS:
            raise AssertionError(f"Node op '{op}' is not one of {OPS}")
        if op == "call_function" and not callable(target):
            raise ValueError(f"Node [graph = {graph}, name = '{name}'] target {target} has type {type(target)} but a "
                             "Callable is expected")
        self.graph, self.name, self.op, self.target, self.type = graph, name, op, target, return_type
        self.users: dict[Node, None] = {}
        self._input_nodes: dict[Node, None] = {}
        self._prev = self._next = self
        self._erased = False
        self.meta: dict[str, Any] = {}
        self._args, self._kwargs = (), {}
        self._take(args, kwargs)

    def _take(self, args: tuple, kwargs: dict) -> None:
        """Have other arguments, and let the nodes in them know."""
        for node in self._input_nodes:
            node.users.pop(self, None)
        self._input_nodes = {}
        self._args, self._kwargs = map_arg((args, kwargs), self._noted)
        for node in self._input_nodes:
            node.users.setdefault(self)

    def _noted(self, node: Node) -> Node:
        self._input_nodes.setdefault(node)
        return node

    @property
    def args(self) -> tuple[Argument, ...]:
        """The positional arguments."""
        return self._args

    @args.setter
    def args(self, args: tuple[Argument, ...]) -> None:
        self._take(tuple(args), self._kwargs)

    @property
    def kwargs(self) -> dict[str, Argument]:
        """The arguments by name."""
        return self._kwargs

    @kwargs.setter
    def kwargs(self, kwargs: dict[str, Argument]) -> None:
        self._take(self._args, dict(kwargs))

    @property
    def all_input_nodes(self) -> list[Node]:
        """The nodes among the arguments."""
        return list(self._input_nodes)

    @property
    def next(self) -> Node:
        """The node behind it."""
        return self._next

    @property
    def prev(self) -> Node:
        """The node before it."""
        return self._prev

    @property
    def stack_trace(self) -> str | None:
        """Where it was recorded, if that was noted."""
        return self.meta.get("stack_trace")

    def update_arg(self, idx: int, arg: Argument) -> None:
        """Replace one positional argument."""
        self.args = (*self.args[:idx], arg, *self.args[idx + 1:])

    def update_kwarg(self, key: str, arg: Argument) -> None:
        """Replace one argument by name."""
        self.kwargs = {**self.kwargs, key: arg}

    def _remove_from_list(self) -> None:
        self._prev._next, self._next._prev = self._next, self._prev

    def prepend(self, x: Node) -> None:
        """Put another node before this one."""
        if x.graph is not self.graph:
            raise AssertionError("Attempting to move a Node into a different Graph")
        if x is self:
            return
        x._remove_from_list()
        x._prev, x._next = self._prev, self
        self._prev._next = self._prev = x

    def append(self, x: Node) -> None:
        """Put another node behind this one."""
        self._next.prepend(x)

    def replace_all_uses_with(self, replace_with: Node, delete_user_cb: Callable[[Node], bool] = lambda user: True,
                              *, propagate_meta: bool = False) -> list[Node]:
        """Let all that take this node take another one; those nodes."""
        changed = [user for user in list(self.users) if delete_user_cb(user)]
        for user in changed:
            user._take(*map_arg((user.args, user.kwargs), lambda node: replace_with if node is self else node))
        if propagate_meta:
            replace_with.meta.update(self.meta)
        return changed

    def replace_input_with(self, old_input: Node, new_input: Node) -> None:
        """Take one node in the place of another."""
        self._take(*map_arg((self.args, self.kwargs), lambda node: new_input if node is old_input else node))

    def is_impure(self) -> bool:
        """Whether it must stay though nobody uses it."""
        return self.op in ("placeholder", "output") or (
            self.target in _side_effects if self.op == "call_function" else self.op == "call_module")

    def _pretty_print_target(self) -> str:
        return self.target if isinstance(self.target, str) else qualified_name(self.target)

    def format_node(self, placeholder_names: list[str] | None = None, maybe_return_typename: list[str] | None = None,
                    **options) -> str | None:
        """A line that describes it."""
        target = self._pretty_print_target()
        head = f"%{self.name} : [num_users={len(self.users)}] = {self.op}[target={target}]"
        if self.op == "placeholder":
            return head + (f"(default={self.args[0]})" if self.args else "")
        if self.op == "get_attr":
            return head
        if self.op == "output":
            return f"return {self.args[0]}"
        return f"{head}(args = {_shown(self.args)}, kwargs = {_shown(self.kwargs)})"

    def __repr__(self) -> str:
        return self.name


def _shown(value: Argument) -> str:
    """Arguments as a line shows them: nodes with a percent sign, words without quotes."""
    if isinstance(value, (tuple, list)):
        inner = ", ".join(map(_shown, value)) + "," * (isinstance(value, tuple) and len(value) == 1)
        return f"({inner})" if isinstance(value, tuple) else f"[{inner}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_shown(item)}" for key, item in value.items()) + "}"
    return f"%{value}" if isinstance(value, Node) else str(value)


def nodes_in(arguments: Iterable) -> list[Node]:
    """The nodes among arguments."""
    nodes: list[Node] = []
    map_arg(tuple(arguments), nodes.append)
    return nodes


