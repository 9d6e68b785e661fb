"""Triangles whose product with their own adjoint is a matrix, and what is solved by them."""

from __future__ import annotations

import numpy as np

from ... import small_matrices
from ...lapack import matrices, note, routine, small_by_columns


def potrf(factor: np.ndarray, info: np.ndarray, upper: bool) -> None:
    """The triangle of each matrix, in its place; info is 0, or the order of the minor that is not positive."""
    small = small_by_columns(factor)
    if small and info.flags.c_contiguous:
        small_matrices.cholesky(*small, info.reshape(-1), upper)
        return
    work = routine("potrf", factor.dtype)
    codes = []
    for (matrix,) in matrices(factor):
        matrix[...], code = work(matrix, lower=not upper, clean=0)
        codes.append(code)
    note(info, codes)


def potrs(solution: np.ndarray, factor: np.ndarray, upper: bool) -> None:
    """Right-hand sides, in their place, by the triangles of their matrices."""
    work = routine("potrs", factor.dtype)
    for triangle, side in matrices(factor, solution):
        if side.size:
            side[...] = work(triangle, side, lower=not upper)[0]


def potri(inverse: np.ndarray, info: np.ndarray, upper: bool) -> None:
    """Inverses from triangles, in their place, both halves of them."""
    work = routine("potri", inverse.dtype)
    codes = []
    for (matrix,) in matrices(inverse):
        half, code = work(matrix, lower=not upper)
        kept = np.triu(half) if upper else np.tril(half)
        matrix[...] = kept + kept.conj().T
        np.einsum("ii->i", matrix)[...] = np.diag(half).real
        codes.append(code)
    note(info, codes)
