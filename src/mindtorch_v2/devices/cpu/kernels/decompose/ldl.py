"""Symmetric and hermitian matrices as a triangle, small blocks and the triangle's adjoint."""

from __future__ import annotations

import numpy as np

from ... import lapack_equations
from ...lapack import on_columns


def sytrf(factors: np.ndarray, pivots: np.ndarray, info: np.ndarray, hermitian: bool) -> None:
    """The factors in the place of each lower half; a pivot below zero stands for a block of two rows."""
    on_columns(lapack_equations.sytrf, (factors, pivots), (), info, hermitian)


def sytrs(solution: np.ndarray, factors: np.ndarray, pivots: np.ndarray, hermitian: bool) -> None:
    """Right-hand sides, in their place; one matrix may serve several of them."""
    batch = solution.shape[:-2]
    factors = np.broadcast_to(factors, (*batch, *factors.shape[-2:]))
    pivots = np.broadcast_to(pivots, (*batch, pivots.shape[-1]))
    on_columns(lapack_equations.sytrs, (solution,), (factors, pivots), None, hermitian)
