"""torch._jit_internal: marks for a compiler, and types as words, as programs take them from here."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from typing import Any, Dict, Final, List, Optional, Tuple, Union, get_args, get_origin  # noqa: F401, UP035

from .futures import Future  # noqa: F401  torch's address


class FunctionModifiers:
    """What is written on a function, in torch's words."""

    UNUSED = "unused (ignored and replaced with raising of an exception)"
    IGNORE = "ignore (leave as a call to Python, cannot be torch.jit.save'd)"
    EXPORT = "export (compile this function even if nothing calls it)"
    DEFAULT = "default (if called from a exported method / forward)"
    COPY_TO_SCRIPT_WRAPPER = "if this method is not scripted, copy the python method onto the scripted model"
    _DROP = "_drop (function is fully ignored, declaration can be unscriptable)"


def _marked(fn: Callable, modifier: str) -> Callable:
    fn._torchscript_modifier = modifier
    return fn


def export(fn: Callable) -> Callable:
    """Mark a method as one that is compiled though nothing calls it."""
    return _marked(fn, FunctionModifiers.EXPORT)


def unused(fn: Callable | property) -> Callable | property:
    """Mark a function, or the functions of a property, as one that is never compiled."""
    if isinstance(fn, property):
        for function in (fn.fget, fn.fset):
            if function is not None:
                _marked(function, FunctionModifiers.UNUSED)
        return fn
    return _marked(fn, FunctionModifiers.UNUSED)


def ignore(drop: bool | Callable = False, **kwargs) -> Callable:
    """Mark a function as one that stays a call of Python; also a decorator with arguments."""
    if callable(drop):
        return _marked(drop, FunctionModifiers.IGNORE)
    if not isinstance(drop, bool):
        raise RuntimeError(f"Argument to @torch.jit.ignore must be a bool or a function but got {drop}")
    drop = drop or kwargs.get("drop_on_export", False)
    return lambda fn: _marked(fn, FunctionModifiers.UNUSED if drop else FunctionModifiers.IGNORE)


def _drop(fn: Callable) -> Callable:
    return _marked(fn, FunctionModifiers._DROP)


def _copy_to_script_wrapper(fn: Callable) -> Callable:
    return _marked(fn, FunctionModifiers.COPY_TO_SCRIPT_WRAPPER)


def _overload(func: Callable) -> Callable:
    """Mark one of several signatures of a function."""
    return func


def _overload_method(func: Callable) -> Callable:
    """Mark one of several signatures of a method."""
    return func


def is_scripting() -> bool:
    """Whether the caller is a script: never."""
    return False


def boolean_dispatch(arg_name: str, arg_index: int, default: bool, if_true: Callable, if_false: Callable,
                     module_name: str, func_name: str) -> Callable:
    """One function of two, chosen by an argument."""
    def fn(*args, **kwargs):
        chosen = args[arg_index] if arg_index < len(args) else kwargs.get(arg_name, default)
        return (if_true if chosen else if_false)(*args, **kwargs)
    fn.__doc__, fn.__name__, fn.__module__ = if_true.__doc__ or if_false.__doc__, func_name, module_name
    return fn


class BroadcastingListCls:
    """``BroadcastingList2[int]``: a list of two, or one number for both."""

    def __getitem__(self, types: Any) -> None:
        return None


BroadcastingList1, BroadcastingList2, BroadcastingList3, BroadcastingList4, BroadcastingList5, BroadcastingList6 = (
    BroadcastingListCls() for _ in range(6))


def is_tuple(ann: Any) -> bool:
    return get_origin(ann) is tuple or ann is tuple


def is_list(ann: Any) -> bool:
    return get_origin(ann) is list or ann is list


def is_dict(ann: Any) -> bool:
    return get_origin(ann) is dict or ann is dict


def is_union(ann: Any) -> bool:
    return get_origin(ann) in (Union, types.UnionType)


def is_optional(ann: Any) -> bool:
    """Whether a type admits None."""
    return ann is Optional or is_union(ann) and type(None) in get_args(ann)


def is_final(ann: Any) -> bool:
    return getattr(ann, "__origin__", None) is Final or ann is Final


def _isinstance(obj: Any, target_type: Any) -> bool:
    """Whether a value is of a type, what is inside containers too."""
    if target_type is Any:
        return True
    if isinstance(target_type, (tuple, list)):
        return any(_isinstance(obj, kind) for kind in target_type)
    origin, inner = get_origin(target_type), get_args(target_type)
    if origin in (Union, types.UnionType):
        return any(_isinstance(obj, kind) for kind in inner)
    if origin is None:
        if target_type in (List, Dict, Tuple, Optional):  # noqa: UP006
            name = typing.cast(Any, target_type)._name
            raise RuntimeError(f"Attempted to use {name} without a contained type. Please add a contained type, e.g. "
                               f"{name}[int]" + (", int]" if name == "Dict" else ""))
        return isinstance(obj, target_type)
    if not isinstance(obj, origin):
        return False
    if origin is dict:
        return all(_isinstance(k, inner[0]) and _isinstance(v, inner[1]) for k, v in obj.items())
    if origin is tuple:
        return len(obj) == len(inner) and all(map(_isinstance, obj, inner))
    return all(_isinstance(item, inner[0]) for item in obj)
