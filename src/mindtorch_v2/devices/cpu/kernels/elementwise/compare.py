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
    return bool(np.array_equal(a, b))
