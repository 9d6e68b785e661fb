"""Proxy: stands for a value while a graph is recorded; what is done with it becomes a node."""

from __future__ import annotations

import copy
import dataclasses
import dis
import enum
import operator
import os
import sys
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

from ..core.device import device, layout, memory_format
from ..core.dtype import DType
from ..overrides import is_tensor_method_or_property
from . import traceback as fx_traceback
from .node import Argument, Node, Target, map_arg
from .operator_schemas import check_for_mutable_operation

if TYPE_CHECKING:
    from .graph import Graph

_HERE = os.path.dirname(os.path.dirname(__file__))
_NO_LOOP = ("Proxy object cannot be iterated. This can be attempted when the Proxy is used in a loop or as a *args or "
            "**kwargs function argument. See the torch.fx docs on pytorch.org for a more detailed explanation of what "
            "types of control flow can be traced, and check out the Proxy docstring for help troubleshooting Proxy "
            "iteration errors")


_NODE_KEY = "Keys for dictionaries used as an argument cannot contain a Node. Got key: {}"
BASE_TYPES = (str, int, float, bool, complex, bytes, DType, device, memory_format, layout)
# What new nodes take over of the notes that are kept while a graph is run again.
_COPIED_NOTES = ("nn_module_stack", "torch_fn", "source_fn_stack", "original_aten", "recompute", "ac_graph_id",
                 "has_backward_hook", "from_node", "quantization_tag", "_numeric_debug_handle", "custom",
                 "partitioner_tag", "arg_kwarg_vals")


class TraceError(ValueError):
    """What cannot be recorded."""


class Scope:
    """The module in which a node is: its name and its class."""

    def __init__(self, module_path: str, module_type: Any) -> None:
        self.module_path, self.module_type = module_path, module_type


class ScopeContextManager:
    """A scope is another one for a while."""

    def __init__(self, scope: Scope, current_scope: Scope) -> None:
        self._scope, self._before = scope, copy.copy(scope)
        scope.module_path, scope.module_type = current_scope.module_path, current_scope.module_type

    def __enter__(self) -> Scope:
        return self._scope

    def __exit__(self, *failure) -> None:
        self._scope.module_path, self._scope.module_type = self._before.module_path, self._before.module_type


class TracerBase:
    """Makes nodes of a graph out of what is done with proxies."""

    graph: Graph
    record_stack_traces = False  # whether nodes know where they were recorded
    check_mutable_operations = False  # whether calls that write into their arguments are refused
    trace_asserts = False  # whether assertions about proxies are recorded
    proxy_buffer_attributes = False  # whether reading a buffer is
    traced_func_name = "forward"
    scope = Scope("", None)
    module_stack: OrderedDict[str, tuple[str, Any]] = OrderedDict()

    def create_node(self, kind: str, target: Target, args: tuple, kwargs: dict, name: str | None = None,
                    type_expr: Any = None) -> Node:
        """A node of the graph, with notes of where it was recorded."""
        if kind == "call_function" and self.check_mutable_operations:
            check_for_mutable_operation(target, args, kwargs)
        node = self.graph.create_node(kind, target, args, kwargs, name, type_expr)
        if fx_traceback.has_preserved_node_meta():
            notes = fx_traceback.get_current_meta()
            if notes.get("stack_trace"):
                node.stack_trace = notes["stack_trace"]
            node.meta.update({key: copy.copy(notes[key]) for key in _COPIED_NOTES if key in notes})
        elif self.module_stack:
            node.meta["nn_module_stack"] = copy.copy(self.module_stack)
        if self.record_stack_traces and not node.stack_trace:
            frames = traceback.extract_stack()
            first = next((at for at, frame in enumerate(frames) if frame.name == "forward"), len(frames))
            theirs = [frame for frame in frames[first:] if not frame.filename.startswith(_HERE)]
            if theirs:
                node.stack_trace = "".join(traceback.format_list(theirs)).strip()
        return node

    def proxy(self, node: Node) -> Proxy:
        """What stands for a node's value."""
        return Proxy(node, self)

    def create_proxy(self, kind: str, target: Target, args: tuple, kwargs: dict, name: str | None = None,
                     type_expr: Any = None, proxy_factory_fn: Callable[[Node], Proxy] | None = None) -> Proxy:
        """A node, and what stands for its value."""
        node = self.create_node(kind, target, self.create_arg(args), self.create_arg(kwargs), name, type_expr)
        return (proxy_factory_fn or self.proxy)(node)

    def iter(self, obj: Proxy) -> Iterator:
        """A proxy is looped over: refused."""
        raise TraceError(_NO_LOOP)

    def to_bool(self, obj: Proxy) -> NoReturn:
        """A proxy decides something: refused."""
        raise TraceError("symbolically traced variables cannot be used as inputs to control flow")

    def keys(self, obj: Proxy) -> Any:
        """The keys of a proxy are asked for: recorded."""
        return self.create_proxy("call_method", "keys", (obj,), {})

    def create_arg(self, a: Any) -> Argument:
        """An argument as a node takes it."""
        if isinstance(a, Proxy):
            return a.node
        if hasattr(a, "__fx_create_arg__"):
            return a.__fx_create_arg__(self)
        if isinstance(a, tuple):
            items = [self.create_arg(item) for item in a]
            return type(a)(*items) if hasattr(a, "_fields") else tuple(items)
        if isinstance(a, list):
            return [self.create_arg(item) for item in a]
        if isinstance(a, dict):
            return {self._key(key): self.create_arg(item) for key, item in a.items()}
        if isinstance(a, (slice, range)):
            return type(a)(*map(self.create_arg, (a.start, a.stop, a.step)))
        if dataclasses.is_dataclass(a) and not isinstance(a, type):
            given = {field.name: self.create_arg(getattr(a, field.name)) for field in dataclasses.fields(a)}
            return self.create_node("call_function", type(a), (), given)
        if isinstance(a, (*BASE_TYPES, enum.Enum)) or a is None or a is ... or callable(a):
            return a
        raise NotImplementedError(f"argument of type: {type(a)}")


    def _key(self, key: Any) -> Argument:
        lowered = self.create_arg(key)
        map_arg(lowered, lambda node: _refuse_key(lowered))
        return lowered


def _refuse_key(key: Argument) -> NoReturn:
    raise RuntimeError(_NODE_KEY.format(key))


class GraphAppendingTracer(TracerBase):
    """Records into a graph that is there: what stands behind a proxy that was made of a node alone."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.scope, self.module_stack = Scope("", None), OrderedDict()


class Proxy:
    """A value that a node will have."""

    def __init__(self, node: Node, tracer=None) -> None:
        self.tracer, self.node = tracer if tracer is not None else GraphAppendingTracer(node.graph), node

    def __repr__(self) -> str:
        return f"Proxy({self.node.name})"

    def __getattr__(self, name: str) -> Attribute:
        if name.startswith("__") and name.endswith("__") and name not in ("__version__",):
            raise AttributeError(name)
        return Attribute(self, name)

    def __call__(self, *args, **kwargs) -> Proxy:
        return self.tracer.create_proxy("call_method", "__call__", (self, *args), kwargs)

    def __iter__(self) -> Iterator[Proxy]:
        frame = sys._getframe(1)
        for instruction in dis.get_instructions(frame.f_code):
            if instruction.offset == frame.f_lasti and instruction.opname == "UNPACK_SEQUENCE":
                return (self[i] for i in range(instruction.argval))
        return self.tracer.iter(self)

    def __bool__(self) -> bool:
        if self.tracer.trace_asserts and _decides_assertion(sys._getframe(1)):
            self.tracer.create_proxy("call_function", assert_fn, (self,), {})
            return True
        return self.tracer.to_bool(self)

    def __len__(self) -> int:
        raise RuntimeError("'len' is not supported in symbolic tracing by default. If you want this call to be "
                           "recorded, please call torch.fx.wrap('len') at module scope")

    def keys(self) -> Any:
        """The keys of a dict, which the tracer may know."""
        return self.tracer.keys(self)

    @classmethod
    def __torch_function__(cls, orig_method: Callable, types, args=None, kwargs=None) -> Proxy:
        args, kwargs = args or (), kwargs or {}
        tracer = tracer_of((args, kwargs))
        if is_tensor_method_or_property(orig_method):
            return tracer.create_proxy("call_method", orig_method.__name__, args, kwargs)
        return tracer.create_proxy("call_function", orig_method, args, kwargs)


def _decides_assertion(frame) -> bool:
    """Whether a frame is about to jump over the raising of an AssertionError."""
    instructions = [i for i in dis.get_instructions(frame.f_code) if i.offset >= frame.f_lasti]
    return instructions[0].opname == "POP_JUMP_FORWARD_IF_TRUE" and instructions[1].opname == "LOAD_ASSERTION_ERROR" \
        or instructions[0].opname == "POP_JUMP_IF_TRUE" and instructions[1].opname == "LOAD_ASSERTION_ERROR"


def assert_fn(x: Any) -> None:
    """An assertion, as it is recorded."""
    if not x:
        raise AssertionError("Assertion failed")


def tracer_of(value: Any):
    """The tracer of the first proxy in arguments."""
    if isinstance(value, Proxy):
        return value.tracer
    if isinstance(value, dict):
        value = value.values()
    elif isinstance(value, slice):
        value = (value.start, value.stop, value.step)
    elif not isinstance(value, (tuple, list)):
        return None
    return next((tracer for tracer in map(tracer_of, value) if tracer is not None), None)


class Attribute(Proxy):
    """An attribute of a proxy; it becomes a node of its own only if it is not called."""

    def __init__(self, root: Proxy, attr: str) -> None:
        self.root, self.attr, self.tracer = root, attr, root.tracer
        self._node: Node | None = None

    @property
    def node(self) -> Node:
        """The node, made when somebody asks."""
        if self._node is None:
            self._node = self.tracer.create_proxy("call_function", getattr, (self.root, self.attr), {}).node
        return self._node

    def __call__(self, *args, **kwargs) -> Proxy:
        return self.tracer.create_proxy("call_method", self.attr, (self.root, *args), kwargs)


class ParameterProxy(Proxy):
    """The proxy of a parameter that tells its shape, so that programs may decide by it."""

    def __init__(self, tracer: TracerBase, node: Node, name: str, param: Any) -> None:
        super().__init__(node, tracer)
        self.param, self.name = param, name

    def __repr__(self) -> str:
        return f"ParameterProxy({self.name})"

    shape = property(lambda self: self.param.shape)
    ndim = property(lambda self: self.param.ndim)

    def size(self) -> Any:
        """The parameter's."""
        return self.param.size()

    def dim(self) -> int:
        """The parameter's."""
        return self.param.dim()

    def numel(self) -> int:
        """The parameter's."""
        return self.param.numel()

    nelement = numel


def _recorded(function: Callable, reflected: bool = False) -> Callable:
    def method(self, *args):
        given = (*args, self) if reflected else (self, *args)
        return tracer_of(given).create_proxy("call_function", function, given, {})
    return method


_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and_", "or_", "xor", "matmul")
_OTHERS = ("eq", "ne", "lt", "gt", "le", "ge", "neg", "pos", "invert", "getitem", "iadd", "isub", "imul", "itruediv",
           "ifloordiv", "imod", "ipow", "imatmul", "iand", "ior", "ixor", "abs")
for _name in (*_BINARY, *_OTHERS):
    setattr(Proxy, f"__{_name.rstrip('_')}__", _recorded(getattr(operator, _name)))
for _name in _BINARY:
    setattr(Proxy, f"__r{_name.rstrip('_')}__", _recorded(getattr(operator, _name), reflected=True))
Proxy.__hash__ = object.__hash__
