"""Equations solved as nearly as can be, and symmetric ones, by LAPACK as SciPy wraps it, matrix by matrix."""

from __future__ import annotations

import numpy as np

from ..lapack import matrices as each
from ..lapack import routine

Array = np.ndarray


def lstsq(matrices: Array, solution: Array, values: Array | None, ranks: Array | None, codes: Array, rcond: float,
          driver: str) -> None:
    """Solutions in the place of right-hand sides, below which stands what is left, by one of four drivers.

    Matrices are overwritten; ``values`` are singular values where the driver finds them.
    """
    find = {"gels": _gels, "gelsy": _gelsy, "gelsd": _gelsd, "gelss": _gelss}[driver]
    for number, (at, (matrix, side)) in enumerate(zip(np.ndindex(*matrices.shape[:-2]), each(matrices, solution))):
        side[...], rank, numbers, codes[number] = find(matrix, side, rcond)
        if ranks is not None:
            ranks[number] = rank
        if numbers is not None:
            values[at] = numbers


def _gels(matrix, side, rcond):
    _, solution, code = routine("gels", matrix.dtype)(matrix, side)
    return solution, 0, None, code


def _gelsy(matrix, side, rcond):
    order = np.zeros((matrix.shape[1], 1), np.int32)
    size = int(routine("gelsy_lwork", matrix.dtype)(*matrix.shape, side.shape[1], rcond)[0].real)
    _, solution, _, rank, code = routine("gelsy", matrix.dtype)(matrix, side, order, rcond, size)
    return solution, rank, None, code


def _gelsd(matrix, side, rcond):
    sizes = routine("gelsd_lwork", matrix.dtype)(*matrix.shape, side.shape[1], rcond)[:-1]
    sizes = [int(np.real(size)) for size in sizes]
    solution, values, rank, code = routine("gelsd", matrix.dtype)(matrix, side, *sizes, rcond)
    return solution, rank, values, code


def _gelss(matrix, side, rcond):
    _, solution, values, rank, _, code = routine("gelss", matrix.dtype)(matrix, side, rcond)
    return solution, rank, values, code


def _name(base: str, dtype: np.dtype, hermitian: bool) -> str:
    return ("he" if hermitian and dtype.kind == "c" else "sy") + base


def sytrf(factors: Array, pivots: Array, codes: Array, hermitian: bool) -> None:
    """A triangle and small blocks in the place of each lower half; a pivot below zero stands for a block of two."""
    work = routine(_name("trf", factors.dtype, hermitian), factors.dtype)
    for number, (matrix, rows) in enumerate(each(factors, pivots)):
        matrix[...], rows[...], codes[number] = work(matrix, lower=1)


def sytrs(solution: Array, factors: Array, pivots: Array, hermitian: bool) -> None:
    """Right-hand sides, in their place, by the factors of their matrices."""
    work = routine(_name("trs", factors.dtype, hermitian), factors.dtype)
    for side, matrix, rows in each(solution, factors, pivots):
        side[...] = work(matrix, rows, side, lower=1)[0]
