"""torch.overrides: what classes with a ``__torch_function__``, and functions that ask them, are written with."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from .api.namespace import OpOverload, OpOverloadPacket
from .core import modes
from .core.mode_stack import EnableTorchFunction, TorchFunctionMode, pop, push, set_aside
from .core.overrides import collect, default_nowrap_functions, hand_over, name_of, skipped, stacks
from .core.tensor import Tensor

BaseTorchFunctionMode = TorchFunctionMode
enable_reentrant_dispatch = EnableTorchFunction
_push_mode = push


def has_torch_function(relevant_args: Iterable) -> bool:
    """Whether any of these arguments, or a mode, is to be asked before a function runs."""
    state = modes.function_state()
    if state == 2 or skipped():
        return False
    return bool(stacks.functions) or (state == 0 and bool(collect(tuple(relevant_args), False)))


def has_torch_function_unary(arg) -> bool:
    """has_torch_function() for one argument."""
    return has_torch_function((arg,))


def has_torch_function_variadic(*args) -> bool:
    """has_torch_function() for arguments that stand by themselves."""
    return has_torch_function(args)


def handle_torch_function(public_api: Callable, relevant_args: Iterable, *args, **kwargs):
    """Ask those of the arguments that want it, and hand back the first answer."""
    return hand_over(public_api, tuple(relevant_args), args, kwargs)


def redispatch_function(func: Callable, types: Iterable, args: tuple, kwargs: dict | None) -> Any:
    """Call a function so that nobody is asked about it, though about what it calls; for ``__torch_function__``."""
    stacks.skips_next = True
    try:
        return func(*args, **(kwargs or {}))
    finally:
        stacks.skips_next = False


def wrap_torch_function(dispatcher: Callable) -> Callable:
    """Make a function ask first; the dispatcher says which of its arguments."""
    def wrap(func: Callable) -> Callable:
        @functools.wraps(func)
        def asking(*args, **kwargs):
            relevant = dispatcher(*args, **kwargs)
            if has_torch_function(relevant):
                return handle_torch_function(asking, relevant, *args, **kwargs)
            return func(*args, **kwargs)
        return asking

    return wrap


def get_default_nowrap_functions() -> set[Callable]:
    """The functions whose results the default ``__torch_function__`` leaves as they are."""
    return default_nowrap_functions()


def is_tensor_like(inp) -> bool:
    """Whether something is a tensor or answers for itself as one."""
    return type(inp) is Tensor or hasattr(inp, "__torch_function__")


def is_tensor_method_or_property(func: Callable) -> bool:
    """Whether a function is a method, or the getter of a property, of Tensor."""
    return func.__name__ in ("__get__", "__set__", "__delete__") or vars(Tensor).get(func.__name__) is func


def resolve_name(f: Callable) -> str | None:
    """A function's full name in torch; None for other functions."""
    if isinstance(f, (OpOverload, OpOverloadPacket)):
        return str(f)
    from .overridable import name_of_function
    return name_of_function(f) or (name_of(f) if is_tensor_method_or_property(f) else None)


def get_ignored_functions() -> set[Callable]:
    """The functions of torch that ask no ``__torch_function__``."""
    from .overridable import ignored_functions
    return set(ignored_functions())


def get_overridable_functions() -> dict[Any, list[Callable]]:
    """The functions that do, by the module or class that has them."""
    from .overridable import overridable_functions
    return overridable_functions()


def get_testing_overrides() -> dict[Callable, Callable]:
    """For each of them a function with the same parameters, which returns -1."""
    from .overridable import testing_overrides
    return dict(testing_overrides())


def _get_overloaded_args(relevant_args: Iterable, get_type_fn: Callable | None = None) -> list:
    """The arguments that are to be asked, subclasses before their bases."""
    return collect(tuple(relevant_args), True)


def _get_current_function_mode() -> TorchFunctionMode | None:
    return stacks.functions[-1] if stacks.functions else None


def _get_current_function_mode_stack() -> list[TorchFunctionMode]:
    return list(stacks.functions)


def _pop_mode() -> TorchFunctionMode:
    return pop(TorchFunctionMode)


def _pop_mode_temporarily() -> set_aside:
    return set_aside(TorchFunctionMode)


__all__ = ["TorchFunctionMode", "enable_reentrant_dispatch", "get_default_nowrap_functions", "get_ignored_functions",
           "get_overridable_functions", "get_testing_overrides", "handle_torch_function", "has_torch_function",
           "is_tensor_like", "is_tensor_method_or_property", "redispatch_function", "resolve_name",
           "wrap_torch_function"]
