"""Node: one call of a graph, with the nodes it takes and those that take it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ..core.size import Size
from ..opdef.results import is_named
from ..ops.python.queries import typename
from .immutable_collections import immutable_dict, immutable_list
from .node_text import _format_arg, node_line, qualified_name, type_text
from .side_effects import _side_effectful_functions, has_side_effect, is_impure

if TYPE_CHECKING:
    from .graph import Graph

Target = Callable | str
Argument = Any
__all__ = ["Node", "_format_arg", "_side_effectful_functions", "has_side_effect", "map_aggregate", "map_arg"]

_get_qualified_name, _type_repr = qualified_name, type_text  # torch's names
OPS = ("placeholder", "call_method", "call_module", "call_function", "get_attr", "output", "root")


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


class Node:
    """An op of OPS, what it calls, and its arguments, among which are nodes."""

    def __init__(self, graph: Graph, name: str, op: str, target: Target, args: tuple[Argument, ...],
                 kwargs: dict[str, Argument], return_type: Any = None) -> None:
        if op not in OPS:
            raise AssertionError(f"op '{op}' is not in _legal_ops")
        if op == "call_function" and not callable(target) or op != "call_function" and not isinstance(target, str):
            raise ValueError(f"Node [graph = {graph}, name = '{name}'] target {target} has type {typename(target)} but "
                             f"a {'Callable' if op == 'call_function' else 'str'} is expected")
        self.graph, self.name, self.op, self.target, self.type = graph, name, op, target, return_type
        self.users: dict[Node, None] = {}
        self._input_nodes: dict[Node, None] = {}
        self._prev = self._next = self
        self._erased = False
        self._repr_fn: Callable[[Node], str] | None = None  # writes its name in code, if a program sets one
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

    @stack_trace.setter
    def stack_trace(self, trace: str | None) -> None:
        self.meta["stack_trace"] = trace

    def insert_arg(self, idx: int, arg: Argument) -> None:
        """Put one more positional argument before another."""
        if not 0 <= idx <= len(self.args):
            raise AssertionError(f"insert_args index must be between 0 and len(self.args), got {idx}")
        self.args = (*self.args[:idx], arg, *self.args[idx:])

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

    def replace_all_uses_with(self, replace_with: Node, delete_user_cb: Callable[[Node], bool] | None = None,
                              *, propagate_meta: bool = False) -> list[Node]:
        """Let all that take this node take another one; those nodes."""
        if propagate_meta:
            if replace_with.meta:
                raise AssertionError("Called node.replace_all_uses_with(replace_with, propagate_meta=True), but "
                                     "replace_with already has .meta keys")
            replace_with.meta.update(self.meta)
        changed = [user for user in list(self.users) if delete_user_cb is None or delete_user_cb(user)]
        for user in changed:
            user.replace_input_with(self, replace_with)
        return changed

    def replace_input_with(self, old_input: Node, new_input: Node) -> None:
        """Take one node in the place of another."""
        self._tell(old_input, new_input.name, self)
        self._take(*map_arg((self.args, self.kwargs), lambda node: new_input if node is old_input else node))

    def _tell(self, old: Node, new: str, user: Node) -> None:
        """Tell the module's hooks that a node is replaced for one that takes it."""
        for hook in getattr(self.graph.owning_module, "_replace_hooks", ()):
            hook(old=old, new=new, user=user)

    def _rename(self, candidate: str) -> None:
        if candidate != self.name:
            name = self.graph._graph_namespace.create_name(candidate, None)
            for user in self.users:
                self._tell(self, name, user)
            self.name = name

    def is_impure(self, impure_random: bool = True) -> bool:
        """Whether it must stay though nobody uses it."""
        return is_impure(self, impure_random)

    def normalized_arguments(self, root, arg_types: tuple | None = None, kwarg_types: dict[str, Any] | None = None,
                             normalize_to_only_use_kwargs: bool = False):
        """The arguments as what it calls declares them, with defaults; None if that cannot be told."""
        from .operator_schemas import normalize_function, normalize_module
        if self.op == "call_function":
            return normalize_function(self.target, self.args, self.kwargs, arg_types, kwarg_types,
                                      normalize_to_only_use_kwargs)
        if self.op == "call_module":
            return normalize_module(root, self.target, self.args, self.kwargs, normalize_to_only_use_kwargs)
        return None

    def _pretty_print_target(self, target: Target) -> str:
        return target if isinstance(target, str) else qualified_name(target)

    def format_node(self, placeholder_names: list[str] | None = None, maybe_return_typename: list[str] | None = None,
                    *, include_tensor_metadata: bool = False) -> str | None:
        """A line that describes it."""
        return node_line(self)

    def __lt__(self, other: Node) -> bool:
        return self._place() < other._place()

    def __gt__(self, other: Node) -> bool:
        return self._place() > other._place()

    def __le__(self, other: Node) -> bool:
        return self._place() <= other._place()

    def __ge__(self, other: Node) -> bool:
        return self._place() >= other._place()

    def _place(self) -> int:
        """How many nodes stand before it."""
        place, node = 0, self
        while node is not self.graph._root:
            place, node = place + 1, node._prev
        return place

    def __repr__(self) -> str:
        return self.name if self._repr_fn is None else self._repr_fn(self)


def nodes_in(arguments: Iterable) -> list[Node]:
    """The nodes among arguments."""
    nodes: list[Node] = []
    map_arg(tuple(arguments), nodes.append)
    return nodes
