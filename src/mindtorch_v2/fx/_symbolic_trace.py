"""Tracer: records what a module does with proxies, as a graph; symbolic_trace() makes a module of it again."""

from __future__ import annotations

import builtins
import contextlib
import functools
import inspect
import math
import sys
from collections.abc import Callable, Iterator
from typing import Any

from ..core.tensor import Tensor
from ..nn.modules.container import Sequential
from ..nn.modules.module import Module
from ..nn.parameter import Parameter
from .graph import Graph
from .graph_module import GraphModule
from .node import Argument
from .proxy import Proxy, TracerBase, _tracer_of

# (globals of a module, name): what wrap() was told to record
_WRAPPED: dict[tuple[int, str], dict] = {}
_ROOM = Module.__module__.partition(".modules")[0]
_IS_NONE = "{} has been specialized to have value None but got another value"


def wrap(fn_or_name: str | Callable) -> str | Callable:
    """Have calls of a function of the calling module recorded as they are; also a decorator."""
    if not callable(fn_or_name) and not isinstance(fn_or_name, str):
        raise RuntimeError("Unsupported type for global function! Must be either a callable or string name")
    name = fn_or_name if isinstance(fn_or_name, str) else fn_or_name.__name__
    frame = sys._getframe(1)
    if frame.f_code.co_name != "<module>":
        raise NotImplementedError("wrap must be called at the top level of a module")
    _WRAPPED[id(frame.f_globals), name] = frame.f_globals
    return fn_or_name


def _assert_is_none(value: Any, msg: str) -> None:
    if value is not None:
        raise AssertionError(msg)


class Tracer(TracerBase):
    """Records graphs; programs derive from it to decide which modules are recorded as one call."""

    def __init__(self, autowrap_modules: tuple = (math,), autowrap_functions: tuple[Callable, ...] = (),
                 param_shapes_constant: bool = False) -> None:
        self._autowrap_search, self._autowrap_functions = list(autowrap_modules), autowrap_functions
        self.param_shapes_constant = param_shapes_constant
        self.root: Module = Module()
        self.graph = Graph()

    # What programs replace

    def is_leaf_module(self, m: Module, module_qualified_name: str) -> bool:
        """Whether a module is recorded as one call: torch's own are, but not containers in a row."""
        return m.__module__.startswith((_ROOM, "torch.nn")) and not isinstance(m, Sequential)

    def call_module(self, m: Module, forward: Callable, args: tuple, kwargs: dict) -> Any:
        """A module is called: recorded as one call, or looked into."""
        path = self.path_of_module(m)
        if not self.is_leaf_module(m, path):
            return forward(*args, **kwargs)
        return self.create_proxy("call_module", path, args, kwargs)

    def getattr(self, attr: str, attr_val: Any, parameter_proxy_cache: dict[str, Any]) -> Any:
        """An attribute of a module is read: parameters become nodes."""
        if not isinstance(attr_val, Parameter):
            return attr_val
        for name, parameter in self.root.named_parameters():
            if parameter is attr_val:
                if name not in parameter_proxy_cache:
                    parameter_proxy_cache[name] = self.create_proxy("get_attr", name, (), {})
                return parameter_proxy_cache[name]
        return attr_val

    # What records

    def path_of_module(self, mod: Module) -> str:
        """The name of a module in the root."""
        for name, module in self.root.named_modules():
            if module is mod:
                return name
        raise NameError("module is not installed as a submodule")

    def create_arg(self, a: Any) -> Argument:
        """An argument as a node takes it; tensors become attributes of the root."""
        if isinstance(a, Tensor):
            return self.create_node("get_attr", self._name_of_tensor(a), (), {})
        return super().create_arg(a)

    def _name_of_tensor(self, tensor: Tensor) -> str:
        for name, member in (*self.root.named_parameters(), *self.root.named_buffers()):
            if member is tensor:
                return name
        for name, member in vars(self.root).items():
            if member is tensor:
                return name
        number = 0
        while hasattr(self.root, f"_tensor_constant{number}"):
            number += 1
        setattr(self.root, f"_tensor_constant{number}", tensor)
        return f"_tensor_constant{number}"

    def _placeholder(self, name: str, parameter: inspect.Parameter, concrete: dict[str, Any]) -> Any:
        prefix = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        default = () if prefix or parameter.default is parameter.empty else (parameter.default,)
        if name not in concrete:
            return self.create_proxy("placeholder", prefix + name, default, {})
        stand_in = self.create_proxy("placeholder", f"{name}_1", default, {})
        if concrete[name] is None:
            self.create_proxy("call_function", _assert_is_none, (stand_in, _IS_NONE.format(name)), {})
        return concrete[name]

    def trace(self, root: Module | Callable, concrete_args: dict[str, Any] | None = None) -> Graph:
        """The graph of a module's forward, or of a function."""
        is_module = isinstance(root, Module)
        self.root = root if is_module else Module()
        function = getattr(type(root), getattr(self, "traced_func_name", "forward")) if is_module else root
        self.graph = Graph(tracer_cls=type(self))
        parameters = list(inspect.signature(inspect.unwrap(function)).parameters.items())
        args: list[Any] = [root] if is_module else []
        keywords: dict[str, Any] = {}
        with self._recording(function):
            for name, parameter in parameters[is_module:]:
                value = self._placeholder(name, parameter, concrete_args or {})
                if parameter.kind is parameter.VAR_POSITIONAL:
                    args.append(_Starred(value))
                elif parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_KEYWORD):
                    keywords[name] = value
                else:
                    args.append(value)
            result = _call(function, args, keywords, parameters)
            self.create_node("output", "output", (self.create_arg(result),), {})
        return self.graph

    @contextlib.contextmanager
    def _recording(self, function: Callable) -> Iterator[None]:
        """While a function runs: calls of modules, reading of parameters and wrapped functions come to this tracer."""
        cache: dict[str, Any] = {}
        call, read = Module.__call__, Module.__getattr__

        @functools.wraps(call)
        def module_call(module, *args, **kwargs):
            return self.call_module(module, lambda *a, **k: call(module, *a, **k), args, kwargs)

        @functools.wraps(read)
        def module_getattr(module, name):
            return self.getattr(name, read(module, name), cache)

        with contextlib.ExitStack() as stack:
            stack.enter_context(_replaced(Module, "__call__", module_call))
            stack.enter_context(_replaced(Module, "__getattr__", module_getattr))
            for (_, name), namespace in list(_WRAPPED.items()):
                original = namespace.get(name, getattr(builtins, name, None))
                if original is not None:
                    stack.enter_context(_replaced_item(namespace, name, _wrapped(original)))
            automatic = {id(f) for m in self._autowrap_search for f in vars(m).values() if callable(f)}
            automatic |= {id(f) for f in self._autowrap_functions}
            for namespace in (getattr(function, "__globals__", {}), *map(vars, self._autowrap_search)):
                for name, value in list(namespace.items()):
                    if id(value) in automatic and not name.startswith("_"):
                        stack.enter_context(_replaced_item(namespace, name, _wrapped(value)))
            yield


class _Starred:
    """The proxy of ``*args``, which goes into the call as it is."""

    def __init__(self, value: Proxy) -> None:
        self.value = value


def _call(function: Callable, args: list, keywords: dict, parameters: list) -> Any:
    """Call a function with proxies, also for its starred parameters, whose places cannot be filled by a call."""
    starred = {n for n, p in parameters if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}
    if not starred:
        return function(*args, **keywords)
    plain = inspect.unwrap(function)
    code = plain.__code__
    unstarred = code.replace(co_flags=code.co_flags & ~(inspect.CO_VARARGS | inspect.CO_VARKEYWORDS),
                             co_argcount=code.co_argcount + len(starred) + code.co_kwonlyargcount, co_kwonlyargcount=0)
    copy = type(plain)(unstarred, plain.__globals__, plain.__name__, plain.__defaults__, plain.__closure__)
    values = [a.value if isinstance(a, _Starred) else a for a in args]
    by_name = dict(zip([n for n, p in parameters if p.kind not in (p.KEYWORD_ONLY, p.VAR_KEYWORD)], values)) | keywords
    return copy(*(by_name[name] for name in unstarred.co_varnames[:unstarred.co_argcount]))


def _wrapped(function: Callable) -> Callable:
    """A function that is recorded if it is given a proxy, and called if not."""
    @functools.wraps(function)
    def recorded(*args, **kwargs):
        tracer = _tracer_of((args, kwargs))
        if tracer is None:
            return function(*args, **kwargs)
        return tracer.create_proxy("call_function", function, args, kwargs)
    return recorded


@contextlib.contextmanager
def _replaced(owner: type, name: str, value: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


@contextlib.contextmanager
def _replaced_item(namespace: dict, name: str, value: Any) -> Iterator[None]:
    had, before = name in namespace, namespace.get(name)
    namespace[name] = value
    try:
        yield
    finally:
        if had:
            namespace[name] = before
        else:
            del namespace[name]


def symbolic_trace(root: Module | Callable, concrete_args: dict[str, Any] | None = None) -> GraphModule:
    """A module that does what another, or a function, does, with its graph."""
    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    name = type(root).__name__ if isinstance(root, Module) else root.__name__
    return GraphModule(tracer.root, graph, name)
