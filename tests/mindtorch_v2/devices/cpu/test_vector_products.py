"""Products with vectors: both builds agree, over sizes around the pieces that sums are made of, and over strides."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from mindtorch_v2.devices.cpu import pool

HALVES = [np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16)]
WIDE = [np.float32, np.float64]


@pytest.mark.parametrize("half", HALVES, ids=str)
@pytest.mark.parametrize("size", [0, 1, 15, 16, 65, 511, 513, 8192, 8193, 70_001])
def test_sums_of_products_of_halves_are_as_exact_as_float32(kernels, drawn, half, size):
    a, b = drawn((size,)).astype(half), drawn((size,)).astype(half)
    exact = a.astype(np.float64).dot(b.astype(np.float64))
    sizes = np.abs(a.astype(np.float64)).dot(np.abs(b.astype(np.float64)))
    assert abs(kernels.half_dot(a, b) - exact) <= 1e-6 * sizes


@pytest.mark.parametrize("half", HALVES, ids=str)
@pytest.mark.parametrize("step", [-1, 2, 3])
def test_sums_of_products_of_any_stride(kernels, drawn, half, step):
    a, b = drawn((300,)).astype(half)[::step], drawn((300,)).astype(half)[::step]
    assert kernels.half_dot(a, b) == pytest.approx(kernels.half_dot(a.copy(), b.copy()), rel=1e-5)


@pytest.mark.parametrize("half", HALVES, ids=str)
@pytest.mark.parametrize("lie", [lambda m: m, lambda m: np.asfortranarray(m), lambda m: m[::-1, ::2],
                                 lambda m: m[:, :1], lambda m: m[:0], lambda m: m[:, :0]],
                         ids=["rows", "columns", "steps", "one column", "no rows", "no columns"])
@pytest.mark.parametrize("shape", [(1, 1), (7, 600), (1030, 33)])
def test_rows_of_halves_by_a_vector(agree, drawn, half, lie, shape):
    matrix = lie(drawn(shape).astype(half))
    agree("half_rows_by_vector", np.empty(matrix.shape[0], np.float32), matrix, drawn((matrix.shape[1],)),
          of_largest=1e-5)


def test_what_is_not_finite_stays_so(kernels):
    a, b = np.ones(600, np.float16), np.ones(600, np.float16)
    a[599] = np.inf
    assert kernels.half_dot(a, b) == np.inf
    b[3] = np.nan
    assert np.isnan(kernels.half_dot(a, b))


@pytest.mark.parametrize("dtype", WIDE)
@pytest.mark.parametrize("beta, alpha", [(1, 1), (0, 2), (0.5, -3)])
@pytest.mark.parametrize("shape", [(1, 1), (3, 17), (70, 600), (0, 4), (4, 0)])
def test_outer_products_added_to_a_summand_of_any_stride(agree, drawn, dtype, beta, alpha, shape):
    column, row = drawn((2 * shape[0],), dtype)[::2], drawn((shape[1],), dtype)
    for summand in (drawn(shape, dtype), drawn(shape[::-1], dtype).T, np.broadcast_to(dtype(3), shape)):
        agree("add_outer", np.empty(shape, dtype), summand, column, row, beta, alpha)


def test_a_summand_is_not_looked_at_where_it_counts_nothing(kernels):
    out = np.empty((2, 2), np.float32)
    kernels.add_outer(out, np.full((2, 2), np.nan, np.float32), np.ones(2, np.float32), np.ones(2, np.float32), 0, 1)
    np.testing.assert_array_equal(out, 1)


@pytest.mark.parametrize("dtype", WIDE)
@pytest.mark.parametrize("shape", [(1, 3, 1), (5, 3, 1), (1, 3, 40), (7000, 3, 1), (4, 3, 9), (0, 3, 2)])
def test_cross_products(agree, drawn, dtype, shape):
    agree("cross", np.empty(shape, dtype), drawn(shape, dtype), drawn(shape, dtype), of_largest=1e-6)


def test_a_cross_product_in_the_place_of_a_factor(kernels, drawn):
    a, b = drawn((6, 3, 5)), drawn((6, 3, 5))
    apart = np.empty_like(a)
    kernels.cross(apart, a, b)
    kernels.cross(a, a, b)
    np.testing.assert_array_equal(a, apart)


def test_sums_have_the_same_bits_on_any_number_of_threads(kernels, drawn):
    a = drawn((100_000,)).astype(np.float16)
    matrix, vector = a.reshape(1000, 100), drawn((100,))
    before, answers = pool.get_threads(), []
    try:
        for count in (1, 2, 3):
            pool.set_threads(count)
            out = np.empty(1000, np.float32)
            kernels.half_rows_by_vector(out, matrix, vector)
            answers.append((kernels.half_dot(a, a), out.tobytes()))
    finally:
        pool.set_threads(before)
    assert len(set(answers)) == 1
