# cython: annotation_typing=False
"""A choice between two arrays, element by element."""

from __future__ import annotations

import numpy as np

from ... import pointwise


def where(out: np.ndarray, condition: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """One array where the condition holds, the other elsewhere; all of one type, broadcast to the result."""
    pointwise.where(out, condition, a, b)
