# cython: annotation_typing=False
"""float16 and bfloat16 are computed in float32 and rounded once, when stored, as torch does on the CPU."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from .array_facts import is_half


def widened(array: Any) -> Any:
    """An array in a type that NumPy orders and computes with exactly: half precision as float32."""
    if not is_half(array):
        return array
    wide = np.empty_like(array, np.float32)
    rewrite(wide, array)
    return wide


def rewrite(out: np.ndarray, values: np.ndarray) -> None:
    """The same values in another floating type; NumPy's own casts of half precision are slow."""
    from . import casting  # which is loaded after this file

    if not casting.cast(out, values):
        out[...] = values


def in_float32(kernel: Callable[..., Any], outs: int, *args: Any) -> Any:
    """Runs the kernel on float32 copies of the half-precision arrays; the first `outs` are rounded back."""
    wide = [widened(a) for a in args]
    if all(w is a for w, a in zip(wide, args)):
        kinds = ", ".join(str(a.dtype) for a in args if isinstance(a, np.ndarray))
        raise TypeError(f"{kernel.__name__}: arrays of one floating dtype wanted, got {kinds}")
    result = kernel(*wide)
    for out, value in zip(args[:outs], wide):
        if out is not value:
            rewrite(out, value)
    return result


def halves_in_float32(outs: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The same as a decorator, for kernels written in NumPy."""
    def wrap(kernel: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(kernel)
        def call(*args: Any) -> Any:
            if any(map(is_half, args)):
                return in_float32(kernel, outs, *args)
            return kernel(*args)
        return call
    return wrap
