"""A choice between two arrays, element by element."""

from __future__ import annotations

import numpy as np

from ... import pointwise


def where(out: np.ndarray, condition: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """One array where the condition holds, the other elsewhere; all of one type, broadcast to the result."""
    shape = out.shape
    whole = condition.shape == shape and a.shape in (shape, ()) and b.shape in (shape, ())
    if whole and all([array.flags.c_contiguous for array in (out, condition, a, b)]):
        pointwise.where(out, condition, a, b)
    else:
        np.copyto(out, np.where(condition, a, b))
