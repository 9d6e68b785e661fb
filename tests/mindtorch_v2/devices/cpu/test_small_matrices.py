"""Small matrices, many at a time: LU and Cholesky as LAPACK has them, and both builds alike."""

from __future__ import annotations

import numpy as np
import pytest

REAL = [np.dtype(np.float32), np.dtype(np.float64)]


def by_columns(matrices):
    return np.ascontiguousarray(matrices.swapaxes(-1, -2))


@pytest.mark.parametrize("dtype", REAL, ids=str)
@pytest.mark.parametrize("batch, rows, columns", [(0, 3, 3), (1, 1, 1), (7, 4, 4), (3, 2, 5), (3, 6, 2), (2, 32, 32)])
def test_lu_of_any_shape(agree, kernels, drawn, batch, rows, columns, dtype):
    a = drawn((batch, columns, rows), dtype)
    least = min(rows, columns)
    pivots, info = np.zeros((batch, least), np.int32), np.zeros(batch, np.int32)
    agree("lu_factor", a.copy(), pivots.copy(), info.copy(), of_largest=1e-4)
    factors = a.copy()
    kernels.lu_factor(factors, pivots, info)
    for columns_of, packed, rows_of in zip(a, factors, pivots):
        lower, upper = np.tril(packed.T, -1)[:, :least] + np.eye(rows, least), np.triu(packed.T)[:least]
        exchanged = columns_of.T.copy()
        for i, row in enumerate(rows_of):
            exchanged[[i, row - 1]] = exchanged[[row - 1, i]]
        np.testing.assert_allclose(lower @ upper, exchanged, atol=1e-4)


@pytest.mark.parametrize("dtype", REAL, ids=str)
@pytest.mark.parametrize("turned", [False, True])
def test_equations_are_solved_by_factors(kernels, drawn, turned, dtype):
    a, sides = drawn((5, 7, 7), dtype) + 4 * np.eye(7, dtype=dtype), drawn((5, 7, 3), dtype)
    factors, pivots, info = by_columns(a), np.zeros((5, 7), np.int32), np.zeros(5, np.int32)
    kernels.lu_factor(factors, pivots, info)
    solutions = by_columns(sides)
    kernels.lu_solve(solutions, factors, pivots, turned)
    np.testing.assert_allclose((a.swapaxes(1, 2) if turned else a) @ solutions.swapaxes(1, 2), sides, atol=1e-3)


@pytest.mark.parametrize("dtype", REAL, ids=str)
@pytest.mark.parametrize("upper", [False, True])
def test_triangle_of_a_positive_matrix(kernels, drawn, upper, dtype):
    a = drawn((4, 9, 9), dtype)
    a = a @ a.swapaxes(1, 2) + 9 * np.eye(9, dtype=dtype)
    a[2, 4, 4] = -1
    factors, info = by_columns(a), np.zeros(4, np.int32)
    kernels.cholesky(factors, info, upper)
    assert info.tolist() == [0, 0, 5, 0]
    for i in (0, 1, 3):
        expected = np.linalg.cholesky(a[i].astype(np.float64))
        packed = np.triu(factors[i].T).T if upper else np.tril(factors[i].T)
        np.testing.assert_allclose(packed, expected, rtol=1e-3, atol=1e-4)


def test_a_zero_on_the_diagonal_is_named(kernels):
    a, pivots, info = np.zeros((1, 3, 3)), np.zeros((1, 3), np.int32), np.zeros(1, np.int32)
    a[0, 0, 0] = 1
    kernels.lu_factor(a, pivots, info)
    assert info[0] == 2
    assert pivots[0].tolist() == [1, 2, 3]


def test_rows_are_exchanged_one_after_the_other(kernels):
    order = np.tile(np.arange(4), (3, 1))
    kernels.exchange_rows(order, np.array([[4, 2, 4], [1, 2, 3], [2, 3, 4]], np.int32))
    assert order.tolist() == [[3, 1, 0, 2], [0, 1, 2, 3], [1, 2, 3, 0]]
