"""Decompositions of many small matrices and what is solved by them.

A batch of matrices comes by columns: (batch, columns, rows) in C order.
"""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def lu_factor(matrices: Array, pivots: Array, info: Array) -> None:
    """Both triangles in the place of each matrix; pivots count rows from 1; info is the first zero of the diagonal."""
    info[...] = 0
    for at, columns in enumerate(matrices):
        a = columns.T
        for j in range(min(a.shape)):
            largest = j + int(np.argmax(np.abs(a[j:, j])))
            pivots[at, j] = largest + 1
            a[[j, largest]] = a[[largest, j]]
            if a[j, j] != 0:
                a[j + 1:, j] /= a[j, j]
            elif not info[at]:
                info[at] = j + 1
            a[j + 1:, j + 1:] -= np.outer(a[j + 1:, j], a[j, j + 1:])


def lu_solve(solutions: Array, matrices: Array, pivots: Array, turned: bool) -> None:
    """Right-hand sides (batch, columns, rows), in their place, of AX = B or, turned, of A'X = B."""
    n = matrices.shape[-1]
    for side, columns, rows in zip(solutions, matrices, pivots):
        a, x = columns.T, side.T
        lower, upper = np.tril(a, -1) + np.eye(n, dtype=a.dtype), np.triu(a)
        order = np.arange(n)
        for i, row in enumerate(rows):
            order[[i, row - 1]] = order[[row - 1, i]]
        if turned:
            x[order] = np.linalg.solve(lower.T, np.linalg.solve(upper.T, x))
        else:
            x[...] = np.linalg.solve(upper, np.linalg.solve(lower, x[order]))


def cholesky(matrices: Array, info: Array, upper: bool) -> None:
    """The triangle of each matrix, in its place; info is 0, or the order of the minor that is not positive."""
    info[...] = 0
    for at, columns in enumerate(matrices):
        a = columns if upper else columns.T  # its lower half holds the triangle
        for j in range(len(a)):
            a[j:, j] -= a[j:, :j] @ a[j, :j]
            if not a[j, j] > 0:
                info[at] = j + 1
                break
            a[j, j] = np.sqrt(a[j, j])
            a[j + 1:, j] /= a[j, j]


def exchange_rows(order: Array, pivots: Array) -> None:
    """In lists (batch, rows) of numbers, exchanges made one after the other: each row with that of its pivot."""
    for numbers, rows in zip(order, pivots):
        for i, row in enumerate(rows):
            numbers[[i, row - 1]] = numbers[[row - 1, i]]
