"""torch.onnx.symbolic_helper: a decorator that libraries put on functions for exporters."""

from __future__ import annotations

from collections.abc import Callable


def parse_args(*arg_descriptors: str) -> Callable[[Callable], Callable]:
    """Say of which kinds a function's arguments are: noted on the function, as torch's does."""
    def decorator(fn: Callable) -> Callable:
        fn._arg_descriptors = arg_descriptors
        return fn
    return decorator
