"""torch.compiler: nothing is compiled here; programs that ask are told so, and functions stay what they are."""

from __future__ import annotations

from collections.abc import Callable


def is_compiling() -> bool:
    """Whether the caller is being compiled."""
    return False


def is_dynamo_compiling() -> bool:
    return False


def is_exporting() -> bool:
    return False


def disable(fn: Callable | None = None, recursive: bool = True, *, reason: str | None = None) -> Callable:
    """Keep a function from being compiled: the function itself, or a decorator that gives it back."""
    return (lambda fn: fn) if fn is None else fn


def allow_in_graph(fn: Callable) -> Callable:
    return fn


def assume_constant_result(fn: Callable) -> Callable:
    return fn


def cudagraph_mark_step_begin() -> None:
    """Say that a step begins."""


def reset() -> None:
    """Forget what was compiled."""
