"""Tracer: records what a module does with proxies, as a graph; symbolic_trace() makes a module of it again."""

from __future__ import annotations

import copy
import inspect
import math
from collections import OrderedDict
from collections.abc import Callable
from types import FunctionType
from typing import Any

from ..core.tensor import Tensor
from ..nn.modules.container import Sequential
from ..nn.modules.module import Module
from ..nn.parameter import Parameter
from ._compatibility import compatibility  # noqa: F401  torch's address
from .graph import Graph
from .graph_module import GraphModule
from .node import Argument
from .patches import ProxyableClassMeta, is_fx_tracing, tracing, wrap
from .proxy import ParameterProxy, Proxy, Scope, ScopeContextManager, TracerBase
from .traced_arguments import PH, PHBase, PHWithMeta, _assert_is_none, annotations_of, arguments_for

__all__ = ["PH", "PHBase", "PHWithMeta", "ProxyableClassMeta", "Tracer", "_assert_is_none", "is_fx_tracing",
           "symbolic_trace", "wrap"]
_ROOM = Module.__module__.partition(".modules")[0]


def is_fx_symbolic_tracing() -> bool:
    """Whether a function is being traced with proxies, which is all the tracing there is."""
    return is_fx_tracing()


class Tracer(TracerBase):
    """Records graphs; programs derive from it to decide which modules are recorded as one call."""

    def __init__(self, autowrap_modules: tuple = (math,), autowrap_functions: tuple[Callable, ...] = (),
                 param_shapes_constant: bool = False) -> None:
        self._autowrap_search = list(autowrap_modules)
        self._autowrap_function_ids = {id(value) for module in autowrap_modules for name, value in vars(module).items()
                                       if not name.startswith("_") and callable(value)}
        self._autowrap_function_ids |= {id(function) for function in autowrap_functions}
        self.param_shapes_constant = param_shapes_constant
        self.root: Module = Module()
        self.root_module_name = ""
        self.graph = Graph()
        self.scope = Scope("", None)
        self.module_stack: OrderedDict[str, tuple[str, Any]] = OrderedDict()
        self.num_calls: dict[str, int] = {}
        self.node_name_to_scope: dict[str, tuple[str, Any]] = {}
        self.submodule_paths: dict[Module, str] | None = None
        self.tensor_attrs: dict[int, str] = {}

    # What programs replace

    def is_leaf_module(self, m: Module, module_qualified_name: str) -> bool:
        """Whether a module is recorded as one call: torch's own are, but not containers in a row."""
        return m.__module__.startswith((_ROOM, "torch.nn", "torch.ao.nn")) and not isinstance(m, Sequential)

    def call_module(self, m: Module, forward: Callable, args: tuple, kwargs: dict) -> Any:
        """A module is called: recorded as one call, or looked into."""
        path = self.path_of_module(m)
        with ScopeContextManager(self.scope, Scope(path, type(m))) as scope:
            calls = self.num_calls.get(path, 0)
            self.num_calls[path] = calls + 1
            key = f"{path}@{calls}" if calls else path
            self.module_stack[key] = (scope.module_path, scope.module_type)
            try:
                if self.is_leaf_module(m, path):
                    return self.create_proxy("call_module", path, args, kwargs)
                return forward(*args, **kwargs)
            finally:
                self.module_stack.pop(key)

    def getattr(self, attr: str, attr_val: Any, parameter_proxy_cache: dict[str, Any]) -> Any:
        """An attribute of a module is read: parameters, and buffers where that is asked for, become nodes."""
        if isinstance(attr_val, Parameter):
            members = self.root.named_parameters()
        elif self.proxy_buffer_attributes and isinstance(attr_val, Tensor):
            members = self.root.named_buffers()
        else:
            return attr_val
        for name, member in members:
            if member is attr_val:
                if name not in parameter_proxy_cache:
                    parameter_proxy_cache[name] = self._read(name, attr_val)
                return parameter_proxy_cache[name]
        return attr_val

    def _read(self, name: str, value: Any) -> Proxy:
        constant = self.param_shapes_constant and isinstance(value, Parameter)
        factory = (lambda node: ParameterProxy(self, node, name, value)) if constant else None
        return self.create_proxy("get_attr", name, (), {}, proxy_factory_fn=factory)

    # What records

    def path_of_module(self, mod: Module) -> str:
        """The name of a module in the root."""
        if self.submodule_paths is not None and mod in self.submodule_paths:
            return self.submodule_paths[mod]
        for name, module in self.root.named_modules():
            if module is mod:
                return name
        raise NameError("module is not installed as a submodule")

    def get_fresh_qualname(self, prefix: str) -> str:
        """A name that the root has no attribute of yet."""
        number = 0
        while hasattr(self.root, f"{prefix}{number}"):
            number += 1
        return f"{prefix}{number}"

    def create_arg(self, a: Any) -> Argument:
        """An argument as a node takes it; tensors become attributes of the root."""
        if isinstance(a, Parameter):
            for name, parameter in self.root.named_parameters():
                if parameter is a:
                    return self.create_node("get_attr", name, (), {})
            raise NameError("parameter is not a member of this module")
        if isinstance(a, Tensor):
            return self.create_node("get_attr", self._name_of_tensor(a), (), {})
        if isinstance(type(a), ProxyableClassMeta):
            name = self.get_fresh_qualname(f"_{type(a).__name__}_constant_")
            setattr(self.root, name, a)
            return self.create_node("get_attr", name, (), {})
        return super().create_arg(a)

    def _name_of_tensor(self, tensor: Tensor) -> str:
        for name, buffer in self.root.named_buffers():
            if buffer is tensor:
                return name
        if id(tensor) not in self.tensor_attrs:
            name = self.tensor_attrs[id(tensor)] = self.get_fresh_qualname("_tensor_constant")
            setattr(self.root, name, tensor)
        return self.tensor_attrs[id(tensor)]

    def _collect_tensors(self, module: Module, path: str) -> None:
        for name, value in vars(module).items():
            if isinstance(value, Tensor):
                self.tensor_attrs[id(value)] = path + name
        for name, child in module.named_children():
            self._collect_tensors(child, f"{path}{name}.")

    def create_args_for_root(self, root_fn: Callable, is_module: bool,
                             concrete_args: dict[str, Any] | tuple | None = None) -> tuple[Callable, list]:
        """Placeholders for what a function takes, and the function as it is called with them."""
        return arguments_for(self, root_fn, is_module, concrete_args)

    def trace(self, root: Module | Callable, concrete_args: dict[str, Any] | None = None) -> Graph:
        """The graph of a module's forward, or of a function."""
        is_module = isinstance(root, Module)
        if is_module and not hasattr(type(root), self.traced_func_name):
            raise AssertionError(f"traced_func_name={self.traced_func_name} doesn't exist in {type(root).__name__}")
        self.root = root if is_module else Module()
        self.submodule_paths = {module: name for name, module in root.named_modules()} if is_module else None
        function = getattr(type(root), self.traced_func_name) if is_module else root
        self.root_module_name = root._get_name() if is_module else ""
        self.graph = Graph(tracer_cls=type(self))
        self.tensor_attrs = {}
        self._collect_tensors(self.root, "")
        if not isinstance(function, FunctionType):
            raise AssertionError(f"Expected FunctionType, got {type(function)}")
        code = function.__code__
        self.graph._co_fields = {name: getattr(code, name) for name in ("co_name", "co_filename", "co_firstlineno")}
        returns = annotations_of(inspect.unwrap(function)).get("return")
        with tracing(self, function.__globals__):
            called, args = self.create_args_for_root(function, is_module, concrete_args)
            self.create_node("output", "output", (self.create_arg(called(*args)),), {}, type_expr=returns)
        self.submodule_paths = None
        return self.graph

    def __deepcopy__(self, memo: dict) -> Tracer:
        copied = Tracer.__new__(Tracer)
        for key, value in self.__dict__.items():
            copied.__dict__[key] = copy.copy(value) if key == "_autowrap_search" else copy.deepcopy(value, memo)
        return copied


def symbolic_trace(root: Module | Callable, concrete_args: dict[str, Any] | None = None) -> GraphModule:
    """A module that does what another, or a function, does, with its graph."""
    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    return GraphModule(tracer.root, graph, type(root).__name__ if isinstance(root, Module) else root.__name__)
