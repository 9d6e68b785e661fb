# cython: annotation_typing=False
"""Products with vectors."""

from __future__ import annotations

import numpy as np

from ... import update, whole_products
from ...array_facts import is_compact, is_half
from ...errstate import silent
from ...half_precision import rewrite, widened

HALF_BYTES = 2
MULTIPLIED = "fdFD"  # by BLAS
CACHED = 1 << 16  # numbers that are widened at a time


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
    return _dot(a, b).item()


@silent
def vdot(a: np.ndarray, b: np.ndarray) -> complex:
    """The same, the first vector conjugated."""
    return np.vdot(a, b).item()


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The product by BLAS; halves in float32, some rows at a time, in which the caller rounds once."""
    if a.dtype.kind in "iu":
        out = np.empty((len(a) if a.ndim == 2 else 1, 1), a.dtype)
        whole_products.multiply_whole(out, np.ascontiguousarray(a).reshape(len(out), -1),
                                      np.ascontiguousarray(b).reshape(-1, 1))
        return out[:, 0] if a.ndim == 2 else out[0, 0]
    if not is_half(a):
        return a.dot(b)
    vector = widened(b)
    if a.ndim == 1:
        return widened(a).dot(vector)
    terms, rows = np.empty(len(a), np.float32), CACHED // (a.shape[1] + 1) + 1
    for first in range(0, len(a), rows):
        widened(a[first:first + rows]).dot(vector, terms[first:first + rows])
    return terms


@silent
def add_outer(out: np.ndarray, summand: np.ndarray, column: np.ndarray, row: np.ndarray, beta, alpha, dtype) -> None:
    """beta * summand + alpha * column * row in a common type; halves in float32, once rounded."""
    has_loop = out.dtype.char in "fd" or is_half(out)
    if beta == 1 and has_loop and out.dtype == summand.dtype == column.dtype == row.dtype:
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
