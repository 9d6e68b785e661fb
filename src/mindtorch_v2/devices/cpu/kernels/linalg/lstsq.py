"""Equations solved as nearly as can be."""

from __future__ import annotations

import numpy as np

from ...lapack import limit_threads, matrices, note, routine


def lstsq(solution: np.ndarray, rank: np.ndarray, values: np.ndarray, info: np.ndarray, work: np.ndarray,
          rcond: float, driver: str) -> None:
    """Right-hand sides, in their place, by one of LAPACK's four ways; below solutions stands what is left."""
    limit_threads(work)
    find = {"gels": _gels, "gelsy": _gelsy, "gelsd": _gelsd, "gelss": _gelss}[driver]
    ranks = rank if driver != "gels" else None
    codes = []
    for at, (matrix, side) in zip(np.ndindex(*work.shape[:-2]), matrices(work, solution)):
        if not matrix.size or not side.size:
            side[...] = 0
            codes.append(0)
            if ranks is not None:
                ranks[at] = 0
            continue
        side[...], of_matrix, numbers, code = find(matrix, side, rcond)
        if ranks is not None:
            ranks[at] = of_matrix
        if numbers is not None:
            values[at] = numbers
        codes.append(code)
    note(info, codes)


def _gels(matrix, side, rcond):
    _, solution, code = routine("gels", matrix.dtype)(matrix, side)
    return solution, None, None, code


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
