"""Equations whose matrix is a triangle."""

from __future__ import annotations

import numpy as np

from ...errstate import silent
from ...lapack import blas, matrices


@silent
def trsm(solution: np.ndarray, triangle: np.ndarray, upper: bool, left: bool, transpose: bool,
         unitriangular: bool) -> None:
    """Right-hand sides, in their place, of AX = B or XA = B; nothing is checked: what divides by zero is infinite."""
    work = blas("trsm", solution.dtype)
    for matrix, side in matrices(triangle, solution):
        if side.size:
            side[...] = work(1, matrix, side, side=not left, lower=not upper, trans_a=transpose, diag=unitriangular)
