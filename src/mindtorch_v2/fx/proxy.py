"""Proxy: stands for a value while a graph is recorded; what is done with it becomes a node."""

from __future__ import annotations

import dis
import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any

from ..overrides import is_tensor_method_or_property
from .node import Node

_NO_LOOP = ("Proxy object cannot be iterated. This can be attempted when the Proxy is used in a loop or as a *args or "
            "**kwargs function argument. See the torch.fx docs on pytorch.org for a more detailed explanation of what "
            "types of control flow can be traced, and check out the Proxy docstring for help troubleshooting Proxy "
            "iteration errors")


class TraceError(ValueError):
    """What cannot be recorded."""


class Proxy:
    """A value that a node will have."""

    def __init__(self, node: Node, tracer=None) -> None:
        self.tracer, self.node = tracer, node

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
