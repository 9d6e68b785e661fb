# cython: annotation_typing=False
"""Matrices as products of two triangles with their rows in another order, and what is solved by them."""

from __future__ import annotations

import math

import numpy as np

from ... import lapack_batches, small_matrices
from ...lapack import on_columns, small_by_columns


def getrf(factors: np.ndarray, pivots: np.ndarray, info: np.ndarray) -> None:
    """Both triangles in the place of each matrix; pivots count rows from 1; info is the first zero of the diagonal."""
    small = small_by_columns(factors)
    if small and pivots.flags.c_contiguous and info.flags.c_contiguous:
        small_matrices.lu_factor(*small, pivots.reshape(-1, pivots.shape[-1]), info.reshape(-1))
    else:
        on_columns(lapack_batches.getrf, (factors, pivots), (), info)


def getrs(solution: np.ndarray, factors: np.ndarray, pivots: np.ndarray, adjoint: bool) -> None:
    """Right-hand sides, in their place; one matrix may serve several of them."""
    small = small_by_columns(factors, solution) if factors.shape[:-2] == solution.shape[:-2] else None
    if small and pivots.flags.c_contiguous:
        small_matrices.lu_solve(*small[::-1], pivots.reshape(-1, pivots.shape[-1]), adjoint)
        return
    batch = solution.shape[:-2]
    factors = np.broadcast_to(factors, (*batch, *factors.shape[-2:]))
    pivots = np.broadcast_to(pivots, (*batch, pivots.shape[-1]))
    on_columns(lapack_batches.getrs, (solution,), (factors, pivots), None, adjoint)


def unpack_pivots(order: np.ndarray, pivots: np.ndarray) -> None:
    """Exchanges of rows, made one after the other in a list of all rows."""
    rows = order.shape[-1]
    if pivots.size and (pivots.min() < 1 or pivots.max() > rows):
        raise RuntimeError("pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive.Did you properly "
                           "pass the result of lu_factor?")
    count = math.prod(order.shape[:-1])
    lists = np.ascontiguousarray(order).reshape(count, rows)
    small_matrices.exchange_rows(lists, np.ascontiguousarray(pivots).reshape(count, pivots.shape[-1]))
    order[...] = lists.reshape(order.shape)
