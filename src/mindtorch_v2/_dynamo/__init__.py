"""torch._dynamo: what programs ask of torch's compiler or tell it; nothing is compiled here."""

from __future__ import annotations

from collections.abc import Callable

from ..compiler import (
    allow_in_graph,
    assume_constant_result,
    disable,
    is_compiling,
    list_backends,
    reset,
    set_stance,
    substitute_in_graph,
)
from ..compiler.backends import check_backend, register_backend
from ..compiler.compile import compile as _compile
from ..core.missing_name import answer_for_missing as _answer_for_missing
from . import _trace_wrapped_higher_order_op, config, eval_frame, exc, external_utils, utils
from .eval_frame import OptimizedModule

reset_code_caches = reset


def is_dynamo_supported() -> bool:
    """False: there is no compiler."""
    return False


def lookup_backend(compiler_fn: str | Callable) -> Callable:
    """A compiler by its name: an error, as none is here; a function is its own compiler."""
    check_backend(compiler_fn)
    if isinstance(compiler_fn, str):
        raise RuntimeError(f"the backend {compiler_fn!r} is not in mindtorch_v2, which compiles nothing")
    return compiler_fn


def optimize(backend: str | Callable = "inductor", *, nopython: bool = False, dynamic: bool | None = None,
             **options) -> Callable[[Callable], Callable]:
    """The older form of torch.compile: a decorator that gives the function back."""
    check_backend(backend)
    return lambda fn: _compile(fn, backend=backend, fullgraph=nopython, dynamic=dynamic,
                               disable=options.get("disable", False))


optimize_assert = optimize


def _as_it_is(fn: Callable | None = None) -> Callable:
    """Mark a function for the compiler: the function itself."""
    return (lambda fn: fn) if fn is None else fn


disallow_in_graph = forbid_in_graph = nonstrict_trace = dont_skip_tracing = run = _as_it_is
disable_nested_graph_breaks = _as_it_is


def graph_break(msg: str = "") -> None:
    """Where a compiler would end a graph."""


def mark_dynamic(t, index, **bounds) -> None:
    """Say that a size changes from call to call."""


def mark_static(t, index=None) -> None:
    """Say that a size stays what it is."""


def mark_static_address(t, guard: bool = False) -> None:
    """Say that a tensor stays where it is."""


maybe_mark_dynamic = mark_unbacked = mark_dynamic

_answer_for_missing(__name__)
