"""torch._custom_ops: the older address of torch.library's ops of the user's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ._custom_op.impl import CustomOp, global_registry
from .core.missing_name import missing as _missing
from .library import define, infer_schema, register_fake, register_kernel


def custom_op(qualname: str, func_or_schema: Callable | str | None = None):
    """Define an op by its schema or by the signature of a function; also a decorator."""
    if func_or_schema is None:
        return lambda func: custom_op(qualname, func)
    if isinstance(func_or_schema, str):
        define(qualname, func_or_schema)
        global_registry[qualname] = CustomOp(qualname)
        return None
    define(qualname, infer_schema(func_or_schema, mutates_args=()))
    global_registry[qualname] = CustomOp(qualname)
    return func_or_schema


def impl(qualname: str, *, device_types: str | Sequence[str] = ("cpu", "cuda"), func: Callable | None = None):
    """A function for an op on some devices; also a decorator."""
    return register_kernel(qualname, device_types) if func is None else register_kernel(qualname, device_types, func)


def impl_abstract(qualname: str, *, func: Callable | None = None):
    """A function that says what comes out of an op; also a decorator."""
    return register_fake(qualname) if func is None else register_fake(qualname, func)


__all__ = ["custom_op", "impl", "impl_abstract"]
__getattr__ = _missing(__name__)
