"""The cross product."""

from __future__ import annotations

import numpy as np

from ...errstate import silent


@silent
def cross(out: np.ndarray, first: np.ndarray, second: np.ndarray, dim: int) -> None:
    """Of vectors along a dimension; the result may be one of them."""
    a, b = [np.moveaxis(array, dim, 0) for array in (first, second)]
    parts = [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]
    np.moveaxis(out, dim, 0)[...] = parts
