"""Interpreter: runs a graph node by node; Transformer: makes a changed graph of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..nn.modules.module import Module
from ._symbolic_trace import Tracer
from .graph import Graph
from .graph_module import GraphModule
from .node import Argument, Node, Target, map_arg
from .proxy import Proxy


class Interpreter:
    """Runs the graph of a module; programs replace what is done for a kind of node."""

    def __init__(self, module: Module, garbage_collect_values: bool = True, graph: Graph | None = None) -> None:
        self.module, self.graph = module, graph if graph is not None else module.graph
        self.env: dict[Node, Any] = {}
        self.garbage_collect_values, self.args_iter = garbage_collect_values, iter(())

    def run(self, *args, initial_env: dict[Node, Any] | None = None, enable_io_processing: bool = True) -> Any:
        """What the graph returns for these arguments."""
        self.env, self.args_iter = dict(initial_env or {}), iter(args)
        waiting = {node: len(node.users) for node in self.graph.nodes}
        for node in self.graph.nodes:
            if node not in self.env:
                self.env[node] = self.run_node(node)
            if node.op == "output":
                return self.env[node]
            if self.garbage_collect_values:
                for taken in node.all_input_nodes:
                    waiting[taken] -= 1
                    if not waiting[taken]:
                        self.env.pop(taken, None)
        return None

    def run_node(self, n: Node) -> Any:
        """One node's value."""
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
        return map_arg(args, lambda node: self.env[node])


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
        return self.tracer.create_proxy("placeholder", target, args, {})

    def get_attr(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Proxy:
        """An attribute of the new module."""
        return self.tracer.create_proxy("get_attr", target, (), {})

    def call_module(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a module, recorded."""
        return self.tracer.create_proxy("call_module", target, args, kwargs)

    def call_function(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a function, recorded."""
        return self.tracer.create_proxy("call_function", target, args, kwargs)

    def transform(self) -> GraphModule:
        """The changed module."""
        result = super().run(enable_io_processing=False)
        if result is not None:
            strip: Callable[[Any], Any] = self.tracer.create_arg
            self.new_graph.output(strip(result))
        return GraphModule(self.module, self.new_graph)
