"""Symmetric and hermitian matrices as a triangle, small blocks and the triangle's adjoint."""

from __future__ import annotations

import numpy as np

from ...lapack import limit_threads, matrices, note, routine


def _name(base: str, dtype: np.dtype, hermitian: bool) -> str:
    return ("he" if hermitian and dtype.kind == "c" else "sy") + base


def sytrf(factors: np.ndarray, pivots: np.ndarray, info: np.ndarray, hermitian: bool) -> None:
    """The factors in the place of each lower half; a pivot below zero stands for a block of two rows."""
    limit_threads(factors)
    work = routine(_name("trf", factors.dtype, hermitian), factors.dtype)
    codes = []
    for matrix, rows in matrices(factors, pivots):
        matrix[...], rows[...], code = work(matrix, lower=1)
        codes.append(code)
    note(info, codes)


def sytrs(solution: np.ndarray, factors: np.ndarray, pivots: np.ndarray, hermitian: bool) -> None:
    """Right-hand sides, in their place; one matrix may serve several of them."""
    limit_threads(factors)
    work = routine(_name("trs", factors.dtype, hermitian), factors.dtype)
    batch = solution.shape[:-2]
    factors = np.broadcast_to(factors, (*batch, *factors.shape[-2:]))
    pivots = np.broadcast_to(pivots, (*batch, pivots.shape[-1]))
    for side, matrix, rows in matrices(solution, factors, pivots):
        side[...] = work(matrix, rows, side, lower=1)[0]
