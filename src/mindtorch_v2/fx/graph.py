"""Graph: nodes in the order in which they run, and the Python code they stand for."""

from __future__ import annotations

import builtins
import contextlib
import keyword
import re
from collections.abc import Callable, Iterator
from typing import Any

from .code_text import PythonCode, python_code
from .node import Argument, Node, Target, map_arg

_NOT_NAMES = {*keyword.kwlist, *dir(builtins), "inf", "nan", "NoneType", "torch", "device", "fx_pytree", "pytree"}


class _Names:
    """Names that are given once each."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def create(self, candidate: str) -> str:
        """A name like this one that is not taken: ``add``, ``add_1``."""
        candidate = re.sub(r"[^0-9a-zA-Z_]+", "_", candidate) or "_unnamed"
        if candidate[0].isdigit():
            candidate = f"_{candidate}"
        match = re.fullmatch(r"(.*)_(\d+)", candidate)
        base, number = (match[1], int(match[2])) if match else (candidate, 0)
        while candidate in self._used or candidate in _NOT_NAMES:
            number += 1
            candidate = f"{base}_{number}"
        self._used.add(candidate)
        return candidate


def _snake_case(text: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", text).lower()


class _NodeList:
    """The nodes of a graph, forwards or backwards."""

    def __init__(self, graph: Graph, direction: str = "_next") -> None:
        self.graph, self.direction = graph, direction

    def __len__(self) -> int:
        return self.graph._len

    def __iter__(self) -> Iterator[Node]:
        node = getattr(self.graph._root, self.direction)
        while node is not self.graph._root:
            if not node._erased:
                yield node
            node = getattr(node, self.direction)  # of an erased one too: it still knows its neighbours

    def __reversed__(self) -> _NodeList:
        return _NodeList(self.graph, "_prev" if self.direction == "_next" else "_next")


class CodeGen:
    """The class that programs derive from to write other code; the code is written by code_text.py."""


class Graph:
    """Calls that a module makes."""

    def __init__(self, owning_module=None, tracer_cls=None, tracer_extras: dict | None = None) -> None:
        self._root = Node(self, "", "root", "", (), {})
        self._names = _Names()
        self._len = 0
        self._insert: Callable[[Node], None] = self._root.prepend
        self.owning_module, self._tracer_cls = owning_module, tracer_cls

    @property
    def nodes(self) -> _NodeList:
        """The nodes in their order."""
        return _NodeList(self)

    def find_nodes(self, *, op: str, target: Target | None = None, sort: bool = True) -> list[Node]:
        """The nodes of one kind, and of one target."""
        return [node for node in self.nodes if node.op == op and (target is None or node.target == target)]

    def create_node(self, op: str, target: Target, args: tuple[Argument, ...] | None = None,
                    kwargs: dict[str, Argument] | None = None, name: str | None = None,
                    type_expr: Any = None) -> Node:
        """A new node where nodes are being inserted."""
        candidate = name if name is not None else self._name_for(target)
        node = Node(self, self._names.create(candidate), op, target, args or (), kwargs or {}, type_expr)
        self._insert(node)
        self._len += 1
        return node

    def _name_for(self, target: Target) -> str:
        text = target if isinstance(target, str) else target.__name__
        return _snake_case(re.sub(r"^\*+", "_", text))

    def erase_node(self, to_erase: Node) -> None:
        """Remove a node that nobody takes."""
        if to_erase.users:
            raise RuntimeError(f"Tried to erase Node {to_erase} but it still had {len(to_erase.users)} users in the "
                               f"graph: {to_erase.users}!")
        if to_erase._erased:
            return
        to_erase._remove_from_list()
        to_erase._erased = True
        self._len -= 1
        to_erase._take((), {})

    @contextlib.contextmanager
    def _inserting(self, insert: Callable[[Node], None]) -> Iterator[None]:
        before, self._insert = self._insert, insert
        try:
            yield
        finally:
            self._insert = before

    def inserting_before(self, n: Node | None = None):
        """Insert new nodes before one; first of all, without one."""
        return self._inserting((self._root._next if n is None else n).prepend)

    def inserting_after(self, n: Node | None = None):
        """Insert new nodes behind one, in their order; last of all, without one."""
        place = n._next if n is not None else self._root
        return self._inserting(place.prepend)

    def placeholder(self, name: str, type_expr: Any = None, default_value: Any = ...) -> Node:
        """An argument of the graph."""
        args = () if default_value is ... else (default_value,)
        return self.create_node("placeholder", name, args, type_expr=type_expr)

    def get_attr(self, qualified_name: str, type_expr: Any = None) -> Node:
        """A parameter, or another attribute of the module."""
        return self.create_node("get_attr", qualified_name, type_expr=type_expr)

    def call_module(self, module_name: str, args=None, kwargs=None, type_expr: Any = None) -> Node:
        """A call of a module."""
        return self.create_node("call_module", module_name, args, kwargs, type_expr=type_expr)

    def call_method(self, method_name: str, args=None, kwargs=None, type_expr: Any = None) -> Node:
        """A call of a method of its first argument."""
        return self.create_node("call_method", method_name, args, kwargs, type_expr=type_expr)

    def call_function(self, the_function: Callable, args=None, kwargs=None, type_expr: Any = None,
                      name: str | None = None) -> Node:
        """A call of a function."""
        return self.create_node("call_function", the_function, args, kwargs, name, type_expr)

    def output(self, result: Argument, type_expr: Any = None) -> Node:
        """What the graph returns."""
        return self.create_node("output", "output", (result,), type_expr=type_expr)

    def output_node(self) -> Node:
        """The node that returns."""
        return next(iter(self.find_nodes(op="output")))

    def node_copy(self, node: Node, arg_transform: Callable[[Node], Argument] = lambda x: x) -> Node:
        """A node of another graph, here; its arguments are what a function makes of them."""
        args, kwargs = map_arg((node.args, node.kwargs), arg_transform)
        copied = self.create_node(node.op, node.target, args, kwargs, node.name, node.type)
        copied.meta = dict(node.meta)
        return copied

    def graph_copy(self, g: Graph, val_map: dict[Node, Node], return_output_node: bool = False) -> Argument | None:
        """All nodes of another graph, here; what it returns."""
        for node in g.nodes:
            if node in val_map:
                continue
            if node.op == "output":
                returned = map_arg(node.args[0], lambda n: val_map[n])
                return (returned, node) if return_output_node else returned
            val_map[node] = self.node_copy(node, lambda n: val_map[n])
        return None

    def __deepcopy__(self, memo: dict | None = None) -> Graph:
        copied = Graph(tracer_cls=self._tracer_cls)
        returned = copied.graph_copy(self, {}, return_output_node=True)
        if returned is not None:
            copied.output(returned[0], returned[1].type).meta = dict(returned[1].meta)
        return copied

    def eliminate_dead_code(self, is_impure_node: Callable[[Node], bool] | None = None) -> bool:
        """Remove nodes that nobody takes; whether there were any."""
        must_stay = is_impure_node or Node.is_impure
        dead = False
        for node in reversed(self.nodes):
            if not node.users and not must_stay(node):
                self.erase_node(node)
                dead = True
        return dead

    def lint(self) -> None:
        """An error if a node takes one that comes later or is of another graph."""
        seen: set[Node] = set()
        for node in self.nodes:
            for taken in node.all_input_nodes:
                if taken not in seen:
                    raise RuntimeError(f"Argument '{taken}' of Node '{node}' was used before it has been defined! "
                                       "Please check that Nodes in the graph are topologically ordered")
            seen.add(node)

    def python_code(self, root_module: str = "self", **options) -> PythonCode:
        """The code the graph stands for."""
        return python_code(self, root_module)

    def print_tabular(self) -> None:
        """Print the nodes as a table, one line each."""
        for node in self.nodes:
            print(f"{node.op:13}  {node.name:20}  {node._pretty_print_target():40}  {node.args}  {node.kwargs}")

    def __str__(self) -> str:
        return "graph():" + "".join(f"\n    {node.format_node()}" for node in self.nodes)
