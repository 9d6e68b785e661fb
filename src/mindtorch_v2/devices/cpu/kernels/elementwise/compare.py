"""Comparisons, whose results are booleans."""

from __future__ import annotations

import numpy as np

from ... import pointwise

ELEMENTWISE = {
    "eq": (np.equal, pointwise.eq), "ne": (np.not_equal, pointwise.ne),
    "lt": (np.less, pointwise.lt), "le": (np.less_equal, pointwise.le),
    "gt": (np.greater, pointwise.gt), "ge": (np.greater_equal, pointwise.ge),
}


def equal(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether all elements of two arrays of one shape are the same."""
    if a.dtype.kind in "iub" and a.strides == b.strides and _address(a) == _address(b):
        return True  # the same memory; of floats, a NaN is not equal to itself
    return bool(np.logical_and.reduce(np.equal(a, b), None))


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]
