"""What is replaced while a function is traced: calls of modules, reading of parameters, functions to be recorded."""

from __future__ import annotations

import builtins
import contextlib
import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..nn.modules.module import Module
from .proxy import tracer_of

if TYPE_CHECKING:
    from ._symbolic_trace import Tracer

# (globals of a module, name): what wrap() was told to record
_WRAPPED: dict[tuple[int, str], dict] = {}
_tracing = 0


def is_fx_tracing() -> bool:
    """Whether a function is being traced."""
    return _tracing > 0


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


def _recorded(function: Callable) -> Callable:
    """A function that is recorded if it is given a proxy, and called if not."""
    @functools.wraps(function)
    def recorded(*args, **kwargs):
        tracer = tracer_of((args, kwargs))
        if tracer is None:
            return function(*args, **kwargs)
        proxy = tracer.create_proxy("call_function", function, args, kwargs)
        proxy.node.meta["is_wrapped"] = True
        return proxy
    recorded.__fx_already_patched = True
    return recorded


class Patches:
    """Replacements that are taken back together."""

    def __init__(self, tracer: Tracer, stack: contextlib.ExitStack) -> None:
        self.tracer, self.stack = tracer, stack
        self._seen: set[int] = set()

    def attribute(self, owner: type, name: str, value: Any) -> None:
        """Let a class have another attribute."""
        self.stack.callback(setattr, owner, name, getattr(owner, name))
        setattr(owner, name, value)

    def item(self, namespace: dict, name: str) -> None:
        """Have a function among globals recorded."""
        function = namespace.get(name, getattr(builtins, name, None))
        if function is None or hasattr(function, "__fx_already_patched"):
            return
        if name in namespace:
            self.stack.callback(namespace.__setitem__, name, namespace[name])
        else:
            self.stack.callback(namespace.pop, name)
        namespace[name] = _recorded(function)

    def autowrap(self, namespace: dict) -> None:
        """Have all functions among globals recorded that the tracer is to record of itself."""
        if id(namespace) in self._seen:
            return
        self._seen.add(id(namespace))
        for name, value in list(namespace.items()):
            if not name.startswith("_") and callable(value) and id(value) in self.tracer._autowrap_function_ids:
                self.item(namespace, name)


@contextlib.contextmanager
def tracing(tracer: Tracer, names: dict[str, Any]) -> Iterator[None]:
    """While a function with these globals runs, what it does comes to a tracer."""
    global _tracing
    read_proxies: dict[str, Any] = {}
    call, read = Module.__call__, Module.__getattr__
    with contextlib.ExitStack() as stack:
        patches = Patches(tracer, stack)

        @functools.wraps(call)
        def module_call(module, *args, **kwargs):
            patches.autowrap(getattr(inspect.unwrap(getattr(module, "forward", module)), "__globals__", {}))
            return tracer.call_module(module, lambda *a, **k: call(module, *a, **k), args, kwargs)

        @functools.wraps(read)
        def module_getattr(module, name):
            return tracer.getattr(name, read(module, name), read_proxies)

        patches.attribute(Module, "__call__", module_call)
        patches.attribute(Module, "__getattr__", module_getattr)
        for (_, name), namespace in list(_WRAPPED.items()):
            patches.item(namespace, name)
        for namespace in (names, *map(vars, tracer._autowrap_search)):
            patches.autowrap(namespace)
        _tracing += 1
        try:
            yield
        finally:
            _tracing -= 1


class ProxyableClassMeta(type):
    """The metaclass of classes whose construction from proxies is recorded as one call."""

    def __call__(cls, *args, **kwargs):
        tracer = tracer_of((args, kwargs)) if is_fx_tracing() else None
        if tracer is None:
            return super().__call__(*args, **kwargs)
        return tracer.create_proxy("call_function", cls, args, kwargs)
