"""Proxy: stands for a value while a graph is recorded; what is done with it becomes a node."""

from __future__ import annotations

import dis
import operator
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

from ..core.device import device, layout, memory_format
from ..core.dtype import DType
from ..overrides import is_tensor_method_or_property
from .node import Argument, Node, Target

if TYPE_CHECKING:
    from .graph import Graph

_NO_LOOP = ("Proxy object cannot be iterated. This can be attempted when the Proxy is used in a loop or as a *args or "
            "**kwargs function argument. See the torch.fx docs on pytorch.org for a more detailed explanation of what "
            "types of control flow can be traced, and check out the Proxy docstring for help troubleshooting Proxy "
            "iteration errors")


_BASE_TYPES = (str, int, float, bool, complex, bytes, range, type(None), type(...), DType, device, memory_format,
               layout)


class TraceError(ValueError):
    """What cannot be recorded."""


def _writes(target: Target, kwargs: dict) -> bool:
    """Whether a call writes into what it is given."""
    name = target if isinstance(target, str) else getattr(target, "__name__", "")
    return "out" in kwargs or (name.endswith("_") and not name.endswith("__"))


class TracerBase:
    """Makes nodes of a graph out of what is done with proxies."""

    graph: Graph
    check_mutable_operations = False  # whether calls that write into their arguments are refused

    def create_node(self, kind: str, target: Target, args: tuple, kwargs: dict, name: str | None = None,
                    type_expr: Any = None) -> Node:
        """A node of the graph."""
        if self.check_mutable_operations and kind in ("call_function", "call_method") and _writes(target, kwargs):
            raise RuntimeError(f"Tried to trace mutable operation {target}. FX only supports "
                               "functional code, so operations that mutate operands in-place (e.g. via `out` "
                               "arguments) are not supported")
        return self.graph.create_node(kind, target, args, kwargs, name, type_expr)

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
        if isinstance(a, tuple):
            items = [self.create_arg(item) for item in a]
            return type(a)(*items) if hasattr(a, "_fields") else tuple(items)
        if isinstance(a, list):
            return [self.create_arg(item) for item in a]
        if isinstance(a, dict):
            return {key: self.create_arg(item) for key, item in a.items()}
        if isinstance(a, slice):
            return slice(*map(self.create_arg, (a.start, a.stop, a.step)))
        if isinstance(a, _BASE_TYPES) or callable(a):
            return a
        raise NotImplementedError(f"argument of type: {type(a)}")


class GraphAppendingTracer(TracerBase):
    """Records into a graph that is there: what stands behind a proxy that was made of a node alone."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph


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
        tracer = _tracer_of((args, kwargs))
        if is_tensor_method_or_property(orig_method):
            return tracer.create_proxy("call_method", orig_method.__name__, args, kwargs)
        return tracer.create_proxy("call_function", orig_method, args, kwargs)


def _tracer_of(value: Any):
    """The tracer of the first proxy in arguments."""
    if isinstance(value, Proxy):
        return value.tracer
    if isinstance(value, dict):
        value = value.values()
    elif isinstance(value, slice):
        value = (value.start, value.stop, value.step)
    elif not isinstance(value, (tuple, list)):
        return None
    return next((tracer for tracer in map(_tracer_of, value) if tracer is not None), None)


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


def _recorded(function: Callable, reflected: bool = False) -> Callable:
    def method(self, *args):
        given = (*args, self) if reflected else (self, *args)
        return _tracer_of(given).create_proxy("call_function", function, given, {})
    return method


_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and_", "or_", "xor", "matmul")
_OTHERS = ("eq", "ne", "lt", "gt", "le", "ge", "neg", "pos", "invert", "getitem", "iadd", "isub", "imul", "itruediv",
           "ifloordiv", "imod", "ipow", "imatmul", "iand", "ior", "ixor", "abs")
for _name in (*_BINARY, *_OTHERS):
    setattr(Proxy, f"__{_name.rstrip('_')}__", _recorded(getattr(operator, _name)))
for _name in _BINARY:
    setattr(Proxy, f"__r{_name.rstrip('_')}__", _recorded(getattr(operator, _name), reflected=True))
Proxy.__hash__ = object.__hash__
