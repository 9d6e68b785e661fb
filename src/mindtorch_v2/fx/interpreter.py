"""Interpreter: runs a graph node by node; Transformer: makes a changed graph of one."""

from __future__ import annotations

import copy
from typing import Any

from ..nn.modules.module import Module
from . import traceback as fx_traceback
from ._symbolic_trace import Tracer
from .graph import Graph
from .graph_module import GraphModule
from .node import Argument, Node, Target, map_aggregate, map_arg
from .proxy import Proxy


class Interpreter:
    """Runs the graph of a module; programs replace what is done for a kind of node."""

    def __init__(self, module: Module, garbage_collect_values: bool = True, graph: Graph | None = None) -> None:
        self.module, self.graph = module, graph if graph is not None else module.graph
        self.env: dict[Node, Any] = {}
        self.garbage_collect_values, self.args_iter = garbage_collect_values, iter(())
        self.name, self.extra_traceback = "Interpreter", True

    def run(self, *args, initial_env: dict[Node, Any] | None = None, enable_io_processing: bool = True) -> Any:
        """What the graph returns for these arguments."""
        self.env = dict(initial_env or {})
        self.args_iter = iter(self.graph.process_inputs(*args) if enable_io_processing else args)
        last_uses = self._last_uses() if self.garbage_collect_values else {}
        for node in self.graph.nodes:
            if node in self.env:
                continue
            try:
                self.env[node] = self.run_node(node)
            except Exception as error:
                if self.extra_traceback:
                    _say_where(error, node)
                raise
            for taken in last_uses.get(node, ()):
                self.env.pop(taken, None)
            if node.op == "output":
                result = self.env[node]
                return self.graph.process_outputs(result) if enable_io_processing else result
        return None

    def _last_uses(self) -> dict[Node, list[Node]]:
        """For each node, those that nobody takes after it."""
        last: dict[Node, Node] = {}
        for node in self.graph.nodes:
            last.update(dict.fromkeys(node.all_input_nodes, node))
        uses: dict[Node, list[Node]] = {}
        for taken, user in last.items():
            uses.setdefault(user, []).append(taken)
        return uses

    def boxed_run(self, args_list: list[Any]) -> Any:
        """The same with a list of arguments, which is emptied so that they can go when they were used."""
        wanted = len(self.graph.find_nodes(op="placeholder"))
        if len(args_list) != wanted:
            difference = "extra arguments" if len(args_list) > wanted else "missing arguments"
            raise RuntimeError(f"Interpreter.boxed_run expected {wanted} arguments for placeholders but received "
                               f"{len(args_list)} ({difference})")
        args = tuple(args_list)
        args_list.clear()
        return self.run(*args, enable_io_processing=False)

    def run_node(self, n: Node) -> Any:
        """One node's value."""
        with fx_traceback.set_current_meta(n, f"Interpreter_{type(self).__name__}"):
            args, kwargs = self.fetch_args_kwargs_from_env(n)
            return getattr(self, n.op)(n.target, args, kwargs)

    def placeholder(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Any:
        """The next argument of run(), or the default."""
        if target.startswith("*"):
            return list(self.args_iter)
        try:
            return next(self.args_iter)
        except StopIteration:
            if args:
                return args[0]
            raise RuntimeError(f"Expected positional argument for parameter {target}, but one was not passed "
                               "in!") from None

    def get_attr(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Any:
        """An attribute of the module."""
        return self.fetch_attr(target)

    def call_function(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a function."""
        return target(*args, **kwargs)

    def call_method(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a method."""
        return getattr(args[0], target)(*args[1:], **kwargs)

    def call_module(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a module."""
        return self.fetch_attr(target)(*args, **kwargs)

    def output(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Any:
        """What is returned."""
        return args[0]

    def fetch_attr(self, target: str) -> Any:
        """An attribute of the module by a dotted name."""
        value = self.module
        for number, part in enumerate(parts := target.split(".")):
            if not hasattr(value, part):
                raise RuntimeError(f"Node referenced nonexistent target {'.'.join(parts[:number + 1])}")
            value = getattr(value, part)
        return value

    def fetch_args_kwargs_from_env(self, n: Node) -> tuple[tuple, dict]:
        """A node's arguments, with values in the place of nodes."""
        return self.map_nodes_to_values((n.args, n.kwargs), n)

    def map_nodes_to_values(self, args: Argument, n: Node) -> Argument:
        """Arguments with values in the place of nodes."""
        def value_of(node: Node) -> Any:
            if node not in self.env:
                raise RuntimeError(f"Node {n} referenced nonexistent value {node}! Run Graph.lint() to diagnose such "
                                   "issues")
            return self.env[node]
        return map_arg(args, value_of)


def _say_where(error: Exception, node: Node) -> None:
    """Add to an error's text which node was run, and where that was recorded."""
    text = f"While executing {node.format_node()}"
    text = f"{error.args[0]}\n\n{text}" if error.args else text
    text += f"\nOriginal traceback:\n{node.stack_trace}"
    if isinstance(error, KeyError):
        raise RuntimeError(text) from error
    error.args = (text, *error.args[1:])


class _ToGraph(Tracer):
    """Records into a graph that is there."""

    def __init__(self, graph: Graph, root: Module) -> None:
        super().__init__()
        self.graph, self.root = graph, root

    def is_leaf_module(self, m: Module, module_qualified_name: str) -> bool:
        """Everything is one call, as it was."""
        return True


class Transformer(Interpreter):
    """Runs a graph on proxies: what is done for a kind of node is recorded in its place."""

    def __init__(self, module: GraphModule) -> None:
        super().__init__(module)
        self.new_graph = Graph()
        self.tracer = _ToGraph(self.new_graph, module)

    def placeholder(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Proxy:
        """An argument of the new graph."""
        return self.tracer.proxy(self.new_graph.placeholder(target, default_value=args[0] if args else ...))

    def get_attr(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Proxy:
        """An attribute of the new module."""
        return self.tracer.create_proxy("get_attr", target, args, kwargs)

    def call_module(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a module, recorded."""
        module = self.fetch_attr(target)
        return self.tracer.call_module(module, module.forward, args, kwargs)

    def call_function(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a function, recorded."""
        return self.tracer.create_proxy("call_function", target, args, kwargs)

    def transform(self) -> GraphModule:
        """The changed module."""
        with fx_traceback.preserve_node_meta():
            result = super().run(enable_io_processing=False)
        if result is not None:
            output = self.new_graph.output(map_aggregate(result, lambda a: a.node if isinstance(a, Proxy) else a))
            output.meta.update(self.graph.output_node().meta)
        self.new_graph._codegen = copy.deepcopy(self.graph._codegen)
        return GraphModule(self.module, self.new_graph)
