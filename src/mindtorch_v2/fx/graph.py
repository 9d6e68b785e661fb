"""Graph: nodes in the order in which they run, and the Python code they stand for."""

from __future__ import annotations

import builtins
import copy
import keyword
import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from .code_text import PythonCode
from .codegen import CodeGen, TransformCode, _PyTreeCodeGen, _PyTreeInfo
from .lint import check, has_attribute
from .node import Argument, Node, Target, map_arg

__all__ = ["CodeGen", "Graph", "PythonCode", "_PyTreeCodeGen", "_PyTreeInfo", "map_arg"]

_NOT_NAMES = {*keyword.kwlist, *dir(builtins), "inf", "nan", "NoneType", "torch", "device", "fx_pytree", "pytree"}


class _Namespace:
    """Names that are given once each."""

    def __init__(self) -> None:
        self._used_names: set[str] = set()

    def create_name(self, candidate: str, obj: Any = None) -> str:
        """A name like this one that is not taken: ``add``, ``add_1``."""
        candidate = re.sub(r"[^0-9a-zA-Z_]+", "_", candidate) or "_unnamed"
        if candidate[0].isdigit():
            candidate = f"_{candidate}"
        match = re.fullmatch(r"(.*)_(\d+)", candidate)
        base, number = (match[1], int(match[2])) if match else (candidate, 0)
        while candidate in self._used_names or candidate in _NOT_NAMES:
            number += 1
            candidate = f"{base}_{number}"
        self._used_names.add(candidate)
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


class _InsertPoint:
    """New nodes of a graph go elsewhere, from now on or until a context is left."""

    def __init__(self, graph: Graph, insert: Callable[[Node], None]) -> None:
        self.graph, self.before = graph, graph._insert
        graph._insert = insert

    def __enter__(self) -> None:
        pass

    def __exit__(self, *failure) -> None:
        self.graph._insert = self.before


class Graph:
    """Calls that a module makes."""

    def __init__(self, owning_module=None, tracer_cls=None, tracer_extras: dict | None = None) -> None:
        self._root = Node(self, "", "root", "", (), {})
        self._graph_namespace = _Namespace()
        self._len = 0
        self._codegen = CodeGen()
        self._co_fields: dict[str, Any] = {}  # where the function is written that was recorded
        self._insert: Callable[[Node], None] = self._root.prepend
        self.owning_module, self._tracer_cls = owning_module, tracer_cls
        self._tracer_extras = tracer_extras

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
        node = Node(self, self._graph_namespace.create_name(candidate), op, target, args or (), kwargs or {}, type_expr)
        self._insert(node)
        self._len += 1
        for hook in getattr(self.owning_module, "_create_node_hooks", ()):
            hook(node)
        return node

    def _name_for(self, target: Target) -> str:
        text = target if isinstance(target, str) else target.__name__
        return _snake_case(re.sub(r"^\*+", "_", text))

    def erase_node(self, to_erase: Node) -> None:
        """Remove a node that nobody takes."""
        if to_erase.users:
            raise RuntimeError(f"Tried to erase Node {to_erase} but it still had {len(to_erase.users)} users in the "
                               f"graph: {to_erase.users}!")
        if to_erase.graph is not self:
            raise RuntimeError(f"Attempting to remove {to_erase} from wrong graph!")
        if to_erase._erased:
            warnings.warn(f"erase_node({to_erase}) on an already erased node", stacklevel=2)
            return
        for hook in getattr(self.owning_module, "_erase_node_hooks", ()):
            hook(to_erase)
        to_erase._remove_from_list()
        to_erase._erased = True
        self._len -= 1
        to_erase._take((), {})

    def inserting_before(self, n: Node | None = None):
        """Insert new nodes before one; first of all, without one."""
        if n is None:
            return self.inserting_after(self._root)
        if n.graph is not self:
            raise AssertionError("Node to insert before is not in graph.")
        return _InsertPoint(self, n.prepend)

    def inserting_after(self, n: Node | None = None):
        """Insert each new node right behind one, so that the last comes first; last of all, without one."""
        if n is None:
            return self.inserting_before(self._root)
        if n.graph is not self:
            raise AssertionError("Node to insert after is not in graph.")
        return _InsertPoint(self, n.append)

    def placeholder(self, name: str, type_expr: Any = None, default_value: Any = ...) -> Node:
        """An argument of the graph."""
        args = () if default_value is ... else (default_value,)
        return self.create_node("placeholder", name, args, type_expr=type_expr)

    def get_attr(self, qualified_name: str, type_expr: Any = None) -> Node:
        """A parameter, or another attribute of the module."""
        if self.owning_module is not None and not has_attribute(self.owning_module, qualified_name):
            warnings.warn("Attempted to insert a get_attr Node with no underlying reference in the owning GraphModule! "
                          "Call GraphModule.add_submodule to add the necessary submodule, GraphModule.add_parameter "
                          "to add the necessary Parameter, or nn.Module.register_buffer to add the necessary buffer",
                          stacklevel=2)
        return self.create_node("get_attr", qualified_name, type_expr=type_expr)

    def call_module(self, module_name: str, args=None, kwargs=None, type_expr: Any = None) -> Node:
        """A call of a module."""
        if self.owning_module is not None and not has_attribute(self.owning_module, module_name):
            warnings.warn("Attempted to insert a call_module Node with no underlying reference in the owning "
                          "GraphModule! Call GraphModule.add_submodule to add the necessary submodule", stacklevel=2)
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
        memo = {} if memo is None else memo
        copied = Graph(tracer_cls=self._tracer_cls)
        nodes: dict[Node, Node] = {}
        returned = copied.graph_copy(self, nodes, return_output_node=True)
        copied._codegen = copy.deepcopy(self._codegen)
        copied._co_fields = dict(self._co_fields)
        if returned is not None:
            output = copied.output(returned[0], returned[1].type)
            output.meta = dict(returned[1].meta)
            nodes[returned[1]] = output
        memo |= {id(node): copied_node for node, copied_node in nodes.items()}
        return copied

    def eliminate_dead_code(self, is_impure_node: Callable[[Node], bool] | None = None) -> bool:
        """Remove nodes that nobody takes; whether there were any."""
        self.lint()
        must_stay = is_impure_node or (lambda node: node.is_impure())
        dead = False
        for node in reversed(self.nodes):
            if not node.users and not must_stay(node):
                self.erase_node(node)
                dead = True
        return dead

    def lint(self) -> None:
        """An error if a node takes one that comes later or is of another graph, or calls what is not there."""
        check(self)

    def set_codegen(self, codegen: CodeGen) -> None:
        """Have the code written by another."""
        self._codegen = codegen

    def on_generate_code(self, make_transformer: Callable[[TransformCode | None], TransformCode]):
        """Have the lines of the code changed when it is written; as a context, until it is left."""
        before = self._codegen._body_transformer
        self._codegen._body_transformer = make_transformer(before)
        return _Until(self._codegen, before)

    def process_inputs(self, *args):
        """The arguments of forward as the graph takes them."""
        return self._codegen.process_inputs(*args)

    def process_outputs(self, out):
        """What the graph returns as forward returns it."""
        return self._codegen.process_outputs(out)

    def python_code(self, root_module: str = "self", *, verbose: bool = False, **options) -> PythonCode:
        """The code the graph stands for."""
        return self._codegen._gen_python_code(self.nodes, root_module, verbose=verbose)

    def print_tabular(self) -> None:
        """Print the nodes as a table, with the tabulate package."""
        try:
            from tabulate import tabulate
        except ImportError:
            print("`print_tabular` relies on the library `tabulate`, which could not be found on this machine. Run "
                  "`pip install tabulate` to install the library.")
            raise
        rows = [[node.op, node.name, node.target, node.args, node.kwargs] for node in self.nodes]
        print(tabulate(rows, headers=["opcode", "name", "target", "args", "kwargs"]))

    def __str__(self) -> str:
        return "graph():" + "".join(f"\n    {node.format_node()}" for node in self.nodes)


class _Until:
    """A change of how code is written, taken back when its context is left."""

    def __init__(self, codegen: CodeGen, before: TransformCode | None) -> None:
        self._codegen, self._before = codegen, before

    def __enter__(self) -> None:
        pass

    def __exit__(self, *failure) -> None:
        self._codegen._body_transformer = self._before
