# cython: annotation_typing=False
"""Products with vectors."""

from __future__ import annotations

import numpy as np

from ...array_facts import is_compact, is_half
from ...errstate import silent

HALF_BYTES = 2


@silent
def add_matrix_by_vector(out: np.ndarray, summand: np.ndarray, matrix: np.ndarray, vector: np.ndarray, beta,
                         alpha) -> None:
    """beta * summand + alpha * matrix @ vector; with a beta of zero the summand is not looked at."""
    if beta == 0 and alpha == 1 and out.dtype is matrix.dtype and is_compact(out) and not is_half(matrix):
        matrix.dot(vector, out)
        return
    terms = _dot(matrix, vector)
    if alpha != 1:
        terms *= alpha
    if beta != 0:
        terms = terms + (summand if beta == 1 else summand * out.dtype.type(beta))
    np.copyto(out, terms, casting="unsafe")


@silent
def scale_into(out: np.ndarray, source: np.ndarray, factor) -> None:
    """The source times a number, in the result's type."""
    np.multiply(source, out.dtype.type(factor), out)


@silent
def dot(a: np.ndarray, b: np.ndarray) -> complex:
    """The sum of the products of two vectors."""
    return _dot(a, b).item()


@silent
def vdot(a: np.ndarray, b: np.ndarray) -> complex:
    """The same, the first vector conjugated."""
    return np.vdot(a, b).item()


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The product by BLAS; halves in float32, in which the caller rounds once."""
    return a.astype(np.float32).dot(b.astype(np.float32)) if is_half(a) else a.dot(b)


@silent
def add_outer(out: np.ndarray, summand: np.ndarray, column: np.ndarray, row: np.ndarray, beta, alpha, dtype) -> None:
    """beta * summand + alpha * column * row in a common type; halves in float32, once rounded."""
    wide = np.dtype(np.float32) if dtype.is_floating_point and dtype.itemsize == HALF_BYTES else dtype.numpy
    summand, column, row = [array.astype(wide, copy=False) for array in (summand, column, row)]
    terms = column * row
    if alpha != 1:
        terms = terms * wide.type(alpha)
    if beta != 0:
        terms = terms + (summand if beta == 1 else summand * wide.type(beta))
    np.copyto(out, terms, casting="unsafe")
