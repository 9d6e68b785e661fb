"""Distances between vectors: the compiled kernels equal their reference."""

from __future__ import annotations

import math

import numpy as np
import pytest

NORMS = [0, 1, 2, 3, math.inf]


@pytest.mark.parametrize("p", NORMS)
@pytest.mark.parametrize("size", [1, 7, 16, 37, 64, 150])
@pytest.mark.parametrize("rows, others", [(5, 19), (5, 70), (1, 19), (2, 33)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_distances_equal_reference(agree, drawn, dtype, rows, others, size, p):
    one, two = drawn((2, rows, size), dtype), drawn((2, others, size), dtype)
    agree("between", np.empty((2, rows, others), dtype), one, two, p)
    agree("within", np.empty(others * (others - 1) // 2, dtype), two[0], p)


@pytest.mark.parametrize("p", NORMS)
def test_a_nan_is_in_every_distance_of_its_vector(kernels, p):
    one, two = np.zeros((1, 1, 20), np.float32), np.zeros((1, 3, 20), np.float32)
    two[0, 1, 18], two[0, 2, 3] = np.nan, np.inf
    out = np.empty((1, 1, 3), np.float32)
    kernels.between(out, one, two, p)
    np.testing.assert_array_equal(out[0, 0], [0, np.nan, np.inf if p else 1])


def test_sets_of_one_vector_or_none_have_no_pairs(kernels):
    for rows in (0, 1):
        kernels.within(np.empty(0, np.float32), np.zeros((rows, 4), np.float32), 2)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("p", [0, 1, 1.5, 2, np.inf])
@pytest.mark.parametrize("sizes", [(2, 5, 7, 3), (1, 1, 1, 1), (1, 20, 9, 33), (1, 300, 5, 4)])
def test_gradients_of_distances(agree, kernels, drawn, sizes, p, dtype):
    batch, rows, others, size = sizes
    one, two = drawn((batch, rows, size), dtype), drawn((batch, others, size), dtype)
    two[0, 0] = one[0, 0]  # no distance apart
    apart, grad = np.empty((batch, rows, others), dtype), drawn((batch, rows, others), dtype)
    kernels.between(apart, one, two, p)
    agree("between_backward", np.empty_like(one), grad, one, two, p, apart, of_largest=1e-5)
    among, pulls = np.empty(rows * (rows - 1) // 2, dtype), drawn((rows * (rows - 1) // 2,), dtype)
    kernels.within(among, one[0], p)
    agree("within_backward", np.empty_like(one[0]), pulls, one[0], p, among, of_largest=1e-5)
