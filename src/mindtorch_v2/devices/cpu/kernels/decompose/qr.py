# cython: annotation_typing=False
"""Householder reflections: found in matrices, and multiplied up."""

from __future__ import annotations

import numpy as np

from ... import lapack_batches
from ...lapack import limit_threads, matrices, on_columns, routine


def geqrf(factors: np.ndarray, tau: np.ndarray) -> None:
    """Matrices as a triangle on and above the diagonal, and reflections below it with their factors ``tau``."""
    on_columns(lapack_batches.geqrf, (factors, tau))


def orgqr(q: np.ndarray, tau: np.ndarray) -> None:
    """The product of reflections, in the place of the columns that hold them."""
    on_columns(lapack_batches.orgqr, (q,), (tau,))


def ormqr(result: np.ndarray, input: np.ndarray, tau: np.ndarray, left: bool, transpose: bool) -> None:
    """A product with all reflections, in the place of the matrix that is multiplied."""
    work = routine("ormqr", input.dtype)
    limit_threads(input)
    trans = "N" if not transpose else "C" if input.dtype.kind == "c" else "T"
    for other, columns, numbers in matrices(result, input, tau):
        reflections = columns[:, :numbers.shape[0]]
        size = max(1, other.shape[1] if left else other.shape[0])
        other[...], _, _ = work("L" if left else "R", trans, reflections, numbers, other, size)
