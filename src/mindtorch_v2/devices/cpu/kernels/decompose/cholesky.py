# cython: annotation_typing=False
"""Triangles whose product with their own adjoint is a matrix, and what is solved by them."""

from __future__ import annotations

import numpy as np

from ... import lapack_batches, small_matrices
from ...lapack import on_columns, small_by_columns


def potrf(factor: np.ndarray, info: np.ndarray, upper: bool) -> None:
    """The triangle of each matrix, in its place; info is 0, or the order of the minor that is not positive."""
    small = small_by_columns(factor)
    if small and info.flags.c_contiguous:
        small_matrices.cholesky(*small, info.reshape(-1), upper)
    else:
        on_columns(lapack_batches.potrf, (factor,), (), info, upper)


def potrs(solution: np.ndarray, factor: np.ndarray, upper: bool) -> None:
    """Right-hand sides, in their place, by the triangles of their matrices."""
    on_columns(lapack_batches.potrs, (solution,), (factor,), None, upper)


def potri(inverse: np.ndarray, info: np.ndarray, upper: bool) -> None:
    """Inverses from triangles, in their place, both halves of them."""
    on_columns(lapack_batches.potri, (inverse,), (), info, upper)
