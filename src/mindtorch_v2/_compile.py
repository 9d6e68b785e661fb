"""torch._compile: keeps functions of torch itself from being compiled."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .compiler import disable
from .core.missing_name import missing as _missing


def _disable_dynamo(fn: Callable | None = None, recursive: bool = True) -> Callable:
    """The function itself, as nothing is compiled; without one, a decorator."""
    return partial(_disable_dynamo, recursive=recursive) if fn is None else disable(fn, recursive)


__getattr__ = _missing(__name__)
