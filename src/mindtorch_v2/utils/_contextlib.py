"""torch.utils._contextlib: blocks that are also decorators, of functions, generators and classes."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable


def context_decorator(ctx: Callable, func: Callable) -> Callable:
    """A function, or a generator, that runs in a block that ``ctx`` makes for every call."""
    if not callable(ctx):
        raise AssertionError(f"Input type is {type(ctx)}")
    if inspect.isclass(func):
        raise RuntimeError("Cannot decorate classes; it is ambiguous whether or not only the constructor or all "
                           "methods should have the context manager applied; additionally, decorating a class at "
                           "definition-site will prevent use of the identifier as a conventional type.  To specify "
                           "which methods to decorate, decorate each of them individually.")
    make = (lambda: ctx) if hasattr(ctx, "__enter__") else ctx
    if inspect.isgeneratorfunction(func):
        return _generator(make, func)

    @functools.wraps(func)
    def decorated(*args, **kwargs):
        with make():
            return func(*args, **kwargs)
    return decorated


def _generator(make: Callable, func: Callable) -> Callable:
    """A generator whose own code, but not that of its caller, runs in the block."""
    @functools.wraps(func)
    def generator(*args, **kwargs):
        inner, step, given = func(*args, **kwargs), "send", None
        while True:
            try:
                with make():
                    value = getattr(inner, step)(given)
            except StopIteration as end:
                return end.value
            try:
                step, given = "send", (yield value)
            except GeneratorExit:
                with make():
                    inner.close()
                raise
            except BaseException as error:  # noqa: BLE001  handed on into the generator
                step, given = "throw", error
    return generator


class _DecoratorContextManager:
    """A block that can decorate functions, too: each call gets a clone of it."""

    def __call__(self, orig_func: Callable) -> Callable:
        if inspect.isclass(orig_func):
            warnings.warn("Decorating classes is deprecated and will be disabled in future versions. You should only "
                          "decorate functions or methods. To preserve the current behavior of class decoration, you "
                          "can directly decorate the `__init__` method and nothing else.", FutureWarning, stacklevel=2)
            orig_func.__init__ = context_decorator(self.clone, orig_func.__init__)
            return orig_func
        return context_decorator(self.clone, orig_func)

    def __enter__(self) -> None:
        raise NotImplementedError

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        raise NotImplementedError

    def clone(self) -> _DecoratorContextManager:
        """Another of its kind, made without arguments."""
        return type(self)()


class _NoParamDecoratorContextManager(_DecoratorContextManager):
    """One that is also a decorator without parentheses."""

    def __new__(cls, orig_func: Callable | None = None):
        return super().__new__(cls) if orig_func is None else cls()(orig_func)
