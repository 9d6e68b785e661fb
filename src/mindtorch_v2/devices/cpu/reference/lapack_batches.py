"""LAPACK's routines over batches of matrices, called one by one as SciPy wraps them."""

from __future__ import annotations

import numpy as np

from ..lapack import blas, matrices, routine

Array = np.ndarray


def getrf(factors: Array, pivots: Array, codes: Array) -> None:
    """Both triangles in the place of each matrix; pivots count rows from 1."""
    work = routine("getrf", factors.dtype)
    for at, (matrix, rows) in enumerate(matrices(factors, pivots)):
        codes[at] = 0
        if matrix.size:
            matrix[...], swaps, codes[at] = work(matrix)
            rows[...] = swaps + 1


def getrs(solution: Array, factors: Array, pivots: Array, adjoint: bool) -> None:
    """Right-hand sides, in their place, by triangles whose pivots were checked."""
    work = routine("getrs", factors.dtype)
    for side, matrix, rows in matrices(solution, factors, pivots):
        if side.size:
            side[...] = work(matrix, rows - 1, side, trans=2 if adjoint else 0)[0]


def potrf(factor: Array, codes: Array, upper: bool) -> None:
    """The triangle of each matrix, in its place."""
    work = routine("potrf", factor.dtype)
    for at, (matrix,) in enumerate(matrices(factor)):
        matrix[...], codes[at] = work(matrix, lower=not upper, clean=0)


def potri(inverse: Array, codes: Array, upper: bool) -> None:
    """Inverses from triangles, in their place, both halves of them."""
    work = routine("potri", inverse.dtype)
    for at, (matrix,) in enumerate(matrices(inverse)):
        half, codes[at] = work(matrix, lower=not upper)
        kept = np.triu(half) if upper else np.tril(half)
        matrix[...] = kept + kept.conj().T
        np.einsum("ii->i", matrix)[...] = np.diag(half).real


def potrs(solution: Array, factor: Array, upper: bool) -> None:
    """Right-hand sides, in their place, by the triangles of their matrices."""
    work = routine("potrs", factor.dtype)
    for triangle, side in matrices(factor, solution):
        if side.size:
            side[...] = work(triangle, side, lower=not upper)[0]


def trsm(solution: Array, triangle: Array, upper: bool, left: bool, transpose: int, unitriangular: bool) -> None:
    """Right-hand sides, in their place, of AX = B or XA = B; 1 turns the triangle, 2 conjugates it, too."""
    work = blas("trsm", solution.dtype)
    for matrix, side in matrices(triangle, solution):
        if side.size:
            side[...] = work(1, matrix, side, side=not left, lower=not upper, trans_a=transpose, diag=unitriangular)


def geqrf(factors: Array, tau: Array) -> None:
    """Matrices as a triangle on and above the diagonal, and reflections below it with their factors ``tau``."""
    work = routine("geqrf", factors.dtype)
    for matrix, numbers in matrices(factors, tau):
        if matrix.size:
            matrix[...], numbers[...], _, _ = work(matrix)


def orgqr(q: Array, tau: Array) -> None:
    """The product of reflections, in the place of the columns that hold them."""
    work = routine("orgqr", q.dtype)
    for matrix, numbers in matrices(q, tau):
        if matrix.size:
            matrix[...], _, _ = work(matrix, numbers)
