"""Products with vectors: sums of products of halves, and outer and cross products of floats."""

from __future__ import annotations

import numpy as np

from ..half_precision import widened

Array = np.ndarray


def half_dot(a: Array, b: Array) -> float:
    """The sum of the products of two vectors of one half precision."""
    return float(widened(a).dot(widened(b)))


def half_rows_by_vector(out: Array, matrix: Array, vector: Array) -> None:
    """The products of the rows of a matrix of halves with a vector of float32, in float32."""
    out[...] = widened(matrix).dot(vector)


def add_outer(out: Array, summand: Array, column: Array, row: Array, beta: float, alpha: float) -> None:
    """beta * summand + alpha * column * row; with a beta of zero the summand is not looked at."""
    terms = alpha * column[:, None] * row
    out[...] = terms if beta == 0 else beta * summand + terms


def cross(out: Array, a: Array, b: Array) -> None:
    """Cross products of vectors along the middle one of three dimensions; the result may be one of them."""
    parts = [a[:, i - 2] * b[:, i - 1] - a[:, i - 1] * b[:, i - 2] for i in range(3)]
    out[...] = np.stack(parts, 1)
