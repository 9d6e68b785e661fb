# cython: annotation_typing=False
"""Comparisons, whose results are booleans."""

from __future__ import annotations

import numpy as np

from ... import numpy_loops, pointwise

FEW = 4096  # truth values that are copied sooner than NumPy is called
FALSE = 0

ELEMENTWISE = {
    "eq": (np.equal, pointwise.eq), "ne": (np.not_equal, pointwise.ne),
    "lt": (np.less, pointwise.lt), "le": (np.less_equal, pointwise.le),
    "gt": (np.greater, pointwise.gt), "ge": (np.greater_equal, pointwise.ge),
}


def equal(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether all elements of two arrays of one shape are the same."""
    if a.dtype.kind in "iub" and a.strides == b.strides and _address(a) == _address(b):
        return True  # the same memory; of floats, a NaN is not equal to itself
    same = np.empty(a.shape, np.bool_)
    if not numpy_loops.run_numpy_loop(np.equal, same, a, b):
        np.equal(a, b, same)
    return same.tobytes().find(FALSE) < 0 if same.size <= FEW else bool(same.all())


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]
