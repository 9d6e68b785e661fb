# cython: annotation_typing=False
"""The cross product."""

from __future__ import annotations

import math

import numpy as np

from ... import vector_products
from ...array_facts import is_compact, is_wide
from ...errstate import silent
from ...layout import compact


@silent
def cross(out: np.ndarray, first: np.ndarray, second: np.ndarray, dim: int) -> None:
    """Of vectors along a dimension; the result may be one of them."""
    if is_wide(out) and is_compact(out):
        shape = out.shape
        lines = (math.prod(shape[:dim]), shape[dim], math.prod(shape[dim + 1:]))
        vector_products.cross(out.reshape(lines), compact(first).reshape(lines), compact(second).reshape(lines))
        return
    a, b = [np.moveaxis(array, dim, 0) for array in (first, second)]
    parts = [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]
    np.moveaxis(out, dim, 0)[...] = parts
