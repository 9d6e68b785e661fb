# cython: annotation_typing=False
"""Between bounds, given as numbers or as arrays."""

from __future__ import annotations

import numpy as np

from ... import numpy_loops, pointwise
from ...layout import empty_of


def clamp(out: np.ndarray, array: np.ndarray, low, high) -> None:
    """No less than one number and no more than another; None is no bound."""
    if out.dtype is array.dtype:
        pointwise.clamp(out, array, low, high)
        return
    held = array if low is None else np.maximum(array, array.dtype.type(low))
    held = held if high is None else np.minimum(held, array.dtype.type(high))
    np.copyto(out, held, casting="unsafe")


def _between(array: np.ndarray, low: np.ndarray | None, high: np.ndarray | None,
             out: np.ndarray | None = None) -> np.ndarray:
    if low is not None and high is not None:
        into = empty_of((array, low, high)) if out is None else out
        pointwise.clamp_between(into, array, low, high)
        return into
    if low is not None:
        array = _pick(np.maximum, array, low, out)
    return array if high is None else _pick(np.minimum, array, high, out)


def _pick(ufunc: np.ufunc, array: np.ndarray, bound: np.ndarray, out: np.ndarray | None) -> np.ndarray:
    into = empty_of((array, bound)) if out is None else out
    if not numpy_loops.run_numpy_loop(ufunc, into, array, bound):
        ufunc(array, bound, out=into)
    return into


ELEMENTWISE = {
    "clamp_between": (_between, pointwise.clamp_between),
}
