# cython: annotation_typing=False
"""Division that leaves a rest, and the rest."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import binary, numpy_loops, pointwise
from ...array_facts import is_half
from ...layout import empty_of


def _divided(loop: Callable, of_integers: Callable) -> tuple[Callable, Callable]:
    """A row of the table: a loop over floats, and what is made of integers, which can't be divided by zero."""
    def kernel(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        if a.dtype.kind in "iu" and a.size and not np.all(b):
            raise RuntimeError("ZeroDivisionError")
        out = empty_of((a, b)) if out is None else out
        (loop if a.dtype.char in "fd" or is_half(a) else of_integers)(out, a, b)
        return out
    return kernel, loop


def _by_numpy(ufunc: np.ufunc) -> Callable:
    def kernel(out: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
        if not numpy_loops.run_numpy_loop(ufunc, out, a, b):
            ufunc(a, b, out=out)
    return kernel


def _truncated(out: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    if is_half(a):  # torch rounds the quotient before it cuts it off
        pointwise.div(out, a, b)
        numpy_loops.run_numpy_loop(np.trunc, out, out)
    else:
        pointwise.truncated_quotient(out, a, b)


ELEMENTWISE = {
    "floor_divide": _divided(binary.floor_divide, _by_numpy(np.floor_divide)),
    "trunc_divide": _divided(_truncated, pointwise.truncated_quotient),
    "remainder": _divided(binary.remainder, _by_numpy(np.remainder)),
    "fmod": _divided(binary.fmod, _by_numpy(np.fmod)),
    "gcd": (np.gcd, None), "lcm": (np.lcm, None),
}
