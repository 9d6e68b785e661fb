"""Equations solved as nearly as can be."""

from __future__ import annotations

import numpy as np

from ... import lapack_equations
from ...lapack import on_columns

BY_VALUES = ("gelsd", "gelss")


def lstsq(solution: np.ndarray, rank: np.ndarray, values: np.ndarray, info: np.ndarray, work: np.ndarray,
          rcond: float, driver: str) -> None:
    """Right-hand sides, in their place, by one of LAPACK's four ways; below solutions stands what is left."""
    has_ranks = driver != "gels"
    if not work.size or not solution.size:
        solution[...] = 0
        info[...] = 0
        if has_ranks:
            rank[...] = 0
        return
    ranks = np.empty(rank.size, np.int64) if has_ranks else None

    def run(matrices, sides, numbers, codes):
        lapack_equations.lstsq(matrices, sides, numbers, ranks, codes, rcond, driver)

    on_columns(run, (work, solution, values if driver in BY_VALUES else None), (), info)
    if has_ranks:
        rank[...] = ranks.reshape(rank.shape)
