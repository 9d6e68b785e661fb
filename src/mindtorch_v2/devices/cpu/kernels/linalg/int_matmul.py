# cython: annotation_typing=False
"""Products of matrices of bytes."""

from __future__ import annotations

import numpy as np

from ... import casting, matrices

EXACT_DEPTH = 1 << 9  # products of two bytes, one with a sign, whose sums every float32 can hold
DEEPEST = 1 << 16  # whose sums an int32 can hold; beyond, they wrap around


def int_product(out: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """The product of two matrices of bytes, summed in int32: in floats that hold every sum exactly."""
    if a.shape[1] > DEEPEST:
        np.matmul(a.astype(out.dtype), b.astype(out.dtype), out=out)
        return
    wide = np.float32 if a.shape[1] <= EXACT_DEPTH else np.float64
    terms = np.empty(out.shape, wide)
    matrices.multiply(terms, _as(wide, a), _as(wide, b))
    if not casting.cast(out, terms):
        np.copyto(out, terms, casting="unsafe")


def _as(dtype: type, array: np.ndarray) -> np.ndarray:
    wide = np.empty(array.shape, dtype)
    if not casting.cast(wide, array):
        np.copyto(wide, array)
    return wide
