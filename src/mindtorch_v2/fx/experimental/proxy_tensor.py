"""make_fx: the ops that a function runs, as a graph."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from typing import Any

from ...core.missing_name import missing as _missing
from ...core.mode_stack import TorchDispatchMode
from ...core.overrides import stacks
from ...core.tensor import Tensor
from ...nn.modules.module import Module
from ...nn.parameter import Parameter
from ...utils import _pytree as pytree
from ..codegen import _PyTreeCodeGen, _PyTreeInfo
from ..graph import Graph
from ..graph_module import GraphModule
from ..node import Node, map_aggregate

_MODES = ("real", "fake", "symbolic")


class ProxyTorchDispatchMode(TorchDispatchMode):
    """Writes down every op that runs on tensors of a function."""

    def __init__(self, graph: Graph, decompositions: dict[Any, Callable]) -> None:
        super().__init__()
        self.graph, self.root, self.decompositions = graph, Module(), decompositions
        self._nodes: dict[int, Node] = {}
        self._kept: list[Tensor] = []  # so that no other tensor takes over their numbers

    def track(self, tensor: Tensor, node: Node) -> None:
        """From now on, this node stands for a tensor."""
        self._nodes[id(tensor)] = node
        self._kept.append(tensor)
        node.meta.setdefault("val", tensor.detach())

    def argument(self, value: Any) -> Any:
        """What a node takes in the place of an argument; of a tensor from outside, an attribute."""
        if not isinstance(value, Tensor):
            return value
        if id(value) not in self._nodes:
            prefix = "_param_constant" if isinstance(value, Parameter) else "_tensor_constant"
            number = 0
            while hasattr(self.root, f"{prefix}{number}"):
                number += 1
            setattr(self.root, f"{prefix}{number}", value)
            self.track(value, self.graph.get_attr(f"{prefix}{number}"))
        return self._nodes[id(value)]

    def result(self, value: Any) -> Any:
        """The node of a tensor that is returned, if it has one."""
        return self.argument(value) if isinstance(value, Tensor) else value

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func in self.decompositions:
            with self:
                return self.decompositions[func](*args, **kwargs)
        given = map_aggregate((tuple(args), kwargs), self.argument)
        result = func(*args, **kwargs)
        node = self.graph.call_function(func, *given, name=func.overloadpacket.__name__)
        if isinstance(result, Tensor):
            self.track(result, node)
        elif isinstance(result, (tuple, list)):
            for place, each in enumerate(result):
                if isinstance(each, Tensor):
                    self.track(each, self.graph.call_function(operator.getitem, (node, place)))
        return result


def get_proxy_mode() -> ProxyTorchDispatchMode | None:
    """The innermost mode that writes ops down."""
    return next((mode for mode in reversed(stacks.dispatch) if isinstance(mode, ProxyTorchDispatchMode)), None)


def _names(function: Callable, args: tuple) -> list[str]:
    """A name for each argument."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return [f"arg{number}" for number in range(len(args))]
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return [names[i] if i < len(names) else f"input_{i - len(names)}" for i in range(len(args))]


def make_fx(f: Callable, decomposition_table: dict[Any, Callable] | None = None, tracing_mode: str = "real",
            _allow_non_fake_inputs: bool = False, *, pre_dispatch: bool = False, record_module_stack: bool = False,
            _allow_fake_constant: bool = False, _error_on_data_dependent_ops: bool = True,
            record_stack_traces: bool = False, proxy_module_inputs: bool = False,
            _disable_torch_fn_metadata_mode: bool = False) -> Callable[..., GraphModule]:
    """A function that runs another and gives back the ops that it ran, as a module with a graph."""
    if tracing_mode not in _MODES:
        raise AssertionError(f'tracing_mode should be "real", "fake" or "symbolic", got {tracing_mode}')
    if tracing_mode != "real" or pre_dispatch:
        raise NotImplementedError("mindtorch_v2 records ops on real tensors, below autograd: make_fx takes "
                                  "tracing_mode='real' and pre_dispatch=False")

    def traced(*args: Any) -> GraphModule:
        graph = Graph()
        mode = ProxyTorchDispatchMode(graph, decomposition_table or {})
        names = _names(f, args)
        for name, arg in zip(names, args):
            for place, leaf in enumerate(pytree.tree_leaves(arg), 1):
                node = graph.placeholder(f"{name}_{place}")
                if isinstance(leaf, Tensor):
                    mode.track(leaf, node)
        with mode:
            result = f(*args)
        leaves, out_spec = pytree.tree_flatten(result)
        in_spec = pytree.tree_structure(tuple(args))
        if not all(child.is_leaf() for child in in_spec.children()):
            graph.set_codegen(_PyTreeCodeGen(_PyTreeInfo(names, in_spec, out_spec)))
            graph.output([mode.result(leaf) for leaf in leaves])
        else:
            graph.output(pytree.tree_map(mode.result, result))
        return GraphModule(mode.root, graph, getattr(f, "__name__", type(f).__name__))

    return traced


__getattr__ = _missing(__name__)
