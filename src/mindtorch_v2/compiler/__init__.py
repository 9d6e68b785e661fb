"""torch.compiler: nothing is compiled here; programs that ask are told so, and functions stay what they are."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from ..core.missing_name import answer_for_missing as _answer_for_missing
from . import config
from .backends import get_default_backend, list_backends, set_default_backend
from .compile import compile

__all__ = ["allow_in_graph", "assume_constant_result", "compile", "config", "cudagraph_mark_step_begin", "disable",
           "get_default_backend", "is_compiling", "is_dynamo_compiling", "is_exporting", "list_backends",
           "load_cache_artifacts", "nested_compile_region", "reset", "save_cache_artifacts", "set_default_backend",
           "set_enable_guard_collectives", "set_stance", "substitute_in_graph", "wrap_numpy"]


def is_compiling() -> bool:
    """Whether the caller is being compiled."""
    return False


def is_dynamo_compiling() -> bool:
    return False


def is_exporting() -> bool:
    return False


def disable(fn: Callable | None = None, recursive: bool = True, *, reason: str | None = None) -> Callable:
    """Keep a function from being compiled: the function itself, or a decorator that gives it back."""
    if fn is None:
        return lambda fn: fn
    if not callable(fn):
        raise AssertionError("fn must be callable")
    return fn


def allow_in_graph(fn: Callable | list[Callable]) -> Callable | list[Callable]:
    """Say that a function may stand in a graph as it is."""
    for function in fn if isinstance(fn, (list, tuple)) else (fn,):
        if not callable(function):
            raise AssertionError("allow_in_graph expects a callable")
    return fn


def assume_constant_result(fn: Callable) -> Callable:
    return fn


def substitute_in_graph(original_fn: Callable, *, can_constant_fold_through: bool = False,
                        skip_signature_check: bool = False) -> Callable[[Callable], Callable]:
    """A decorator for what a compiler would put in the place of another function."""
    return lambda traceable_fn: traceable_fn


def nested_compile_region(fn: Callable | None = None, *, options=None, max_reuse_entries: int = 8, reuse_hash_fn=None):
    """Say that a function is compiled once for all its calls: the function itself, or a decorator."""
    return (lambda fn: fn) if fn is None else fn


def wrap_numpy(fn: Callable) -> Callable:
    """A function of NumPy's arrays as one of tensors."""
    import functools

    import numpy as np

    from ..core.tensor import Tensor
    from ..ops.python.construct import as_tensor
    from ..utils._pytree import tree_map

    @functools.wraps(fn)
    def wrapped(*args, **kwargs):
        args, kwargs = tree_map(lambda x: x.numpy() if isinstance(x, Tensor) else x, (args, kwargs))
        return tree_map(lambda x: as_tensor(x) if isinstance(x, np.ndarray) else x, fn(*args, **kwargs))
    return wrapped


@contextlib.contextmanager
def set_stance(stance: str = "default", *, skip_guard_eval_unsafe: bool = False, force_backend=None) -> Iterator[None]:
    """How a compiler would proceed inside a block, or inside a function."""
    yield


def set_enable_guard_collectives(enabled: bool) -> None:
    """Kept from nobody: there are no guards."""


def save_cache_artifacts() -> None:
    """None: nothing was compiled that could be saved."""


def load_cache_artifacts(serialized_artifacts: bytes) -> None:
    """None: there is no compiler that could use them."""


def cudagraph_mark_step_begin() -> None:
    """Say that a step begins."""


def reset() -> None:
    """Forget what was compiled."""


_answer_for_missing(__name__)
