# cython: annotation_typing=False
"""Equations whose matrix is a triangle."""

from __future__ import annotations

import numpy as np

from ... import lapack_batches
from ...lapack import on_columns


def trsm(solution: np.ndarray, triangle: np.ndarray, upper: bool, left: bool, transpose: int,
         unitriangular: bool) -> None:
    """Right-hand sides, in their place, of AX = B or XA = B; nothing is checked: what divides by zero is infinite."""
    on_columns(lapack_batches.trsm, (solution,), (triangle,), None, upper, left, transpose, unitriangular)
