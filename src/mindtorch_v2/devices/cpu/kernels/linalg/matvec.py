# cython: annotation_typing=False
"""Products with vectors."""

from __future__ import annotations

import numpy as np

from ... import update, vector_products, whole_products
from ...array_facts import is_compact, is_half, is_wide
from ...errstate import silent
from ...half_precision import rewrite, widened
from ...layout import compact

HALF_BYTES = 2
MULTIPLIED = "fdFD"  # by BLAS


@silent
def add_matrix_by_vector(out: np.ndarray, summand: np.ndarray, matrix: np.ndarray, vector: np.ndarray, beta,
                         alpha) -> None:
    """beta * summand + alpha * matrix @ vector; with a beta of zero the summand is not looked at."""
    if beta == 0 and alpha == 1 and out.dtype is matrix.dtype and is_compact(out) and matrix.dtype.char in MULTIPLIED:
        matrix.dot(vector, out)
        return
    terms = _dot(matrix, vector)
    if alpha != 1:
        terms *= alpha
    if beta != 0:
        terms = terms + (summand if beta == 1 else summand * out.dtype.type(beta))
    rewrite(out, terms)


@silent
def scale_into(out: np.ndarray, source: np.ndarray, factor) -> None:
    """The source times a number, in the result's type."""
    np.multiply(source, out.dtype.type(factor), out)


@silent
def dot(a: np.ndarray, b: np.ndarray) -> complex:
    """The sum of the products of two vectors."""
    return vector_products.half_dot(a, b) if is_half(a) else _dot(a, b).item()


@silent
def vdot(a: np.ndarray, b: np.ndarray) -> complex:
    """The same, the first vector conjugated."""
    return np.vdot(a, b).item()


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The product by BLAS; of a matrix of halves in float32, which the caller rounds once."""
    if a.dtype.kind in "iu":
        out = np.empty((len(a) if a.ndim == 2 else 1, 1), a.dtype)
        whole_products.multiply_whole(out, np.ascontiguousarray(a).reshape(len(out), -1),
                                      np.ascontiguousarray(b).reshape(-1, 1))
        return out[:, 0] if a.ndim == 2 else out[0, 0]
    if not is_half(a):
        return a.dot(b)
    terms = np.empty(len(a), np.float32)
    vector_products.half_rows_by_vector(terms, a, compact(widened(b)))
    return terms


@silent
def add_outer(out: np.ndarray, summand: np.ndarray, column: np.ndarray, row: np.ndarray, beta, alpha, dtype) -> None:
    """beta * summand + alpha * column * row in a common type; halves in float32, once rounded."""
    is_one_type = out.dtype == summand.dtype == column.dtype == row.dtype
    if is_one_type and is_wide(out) and is_compact(out):
        vector_products.add_outer(out, summand, column[:, 0], compact(row), beta, alpha)
        return
    if beta == 1 and is_one_type and is_half(out):
        update.addcmul(out, summand, np.broadcast_to(column, out.shape), np.broadcast_to(row, out.shape), alpha)
        return
    wide = np.dtype(np.float32) if dtype.is_floating_point and dtype.itemsize == HALF_BYTES else dtype.numpy
    summand, column, row = [widened(array).astype(wide, copy=False) for array in (summand, column, row)]
    terms = column * row
    if alpha != 1:
        terms = terms * wide.type(alpha)
    if beta != 0:
        terms = terms + (summand if beta == 1 else summand * wide.type(beta))
    np.copyto(out, terms, casting="unsafe")
