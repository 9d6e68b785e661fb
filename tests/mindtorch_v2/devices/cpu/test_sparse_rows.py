"""Products of rows that keep only some of their elements: both builds agree, and refuse lists that lead outside."""

from __future__ import annotations

import numpy as np
import pytest

from mindtorch_v2.devices.cpu import pool

WIDE = [np.float32, np.float64]
SHAPES = [(1, 1, 1), (5, 7, 3), (0, 4, 2), (4, 0, 2), (6, 5, 0), (40, 130, 70), (200, 64, 65)]


def some_rows(rows, columns, dtype, seed=0):
    """Starts, columns and values of a matrix of which a fifth is kept."""
    rng = np.random.default_rng(seed)
    dense = rng.standard_normal((rows, columns)).astype(dtype) * (rng.random((rows, columns)) < 0.2)
    at = np.nonzero(dense)
    starts = np.concatenate([[0], np.cumsum((dense != 0).sum(1))]).astype(np.int64)
    return starts, at[1].astype(np.int64), dense[at]


@pytest.mark.parametrize("dtype", WIDE)
@pytest.mark.parametrize("rows, inner, n", SHAPES)
def test_rows_by_dense_ones(agree, drawn, rows, inner, n, dtype):
    agree("add_rows_by_dense", drawn((rows, n), dtype), *some_rows(rows, inner, dtype), drawn((inner, n), dtype), -0.5,
          of_largest=1e-6)


@pytest.mark.parametrize("dtype", WIDE)
@pytest.mark.parametrize("rows, others, n", SHAPES)
def test_dot_products_at_some_places(agree, drawn, rows, others, n, dtype):
    starts, columns, values = some_rows(rows, others, dtype)
    agree("sampled_rows", np.empty_like(values), starts, columns, drawn((rows, n), dtype), drawn((others, n), dtype),
          of_largest=1e-6)


@pytest.mark.parametrize("dtype", WIDE)
@pytest.mark.parametrize("rows, inner, columns", SHAPES)
def test_products_of_sparse_rows(kernels, rows, inner, columns, dtype):
    a, b = some_rows(rows, inner, dtype, 1), some_rows(inner, columns, dtype, 2)
    dense = []
    for (starts, at, values), width in ((a, inner), (b, columns), (kernels.product_of_rows(*a, *b, columns), columns)):
        assert at.dtype == starts.dtype == np.int64
        matrix = np.zeros((len(starts) - 1, width))
        lines = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        assert (np.diff(lines * width + at) > 0).all()
        matrix[lines, at] = values
        dense.append(matrix)
    np.testing.assert_allclose(dense[2], dense[0] @ dense[1], atol=1e-5)


def test_sums_of_zero_are_kept(kernels):
    a = np.array([0, 2]), np.array([0, 1]), np.array([1.0, 1.0])
    b = np.array([0, 1, 2]), np.array([0, 0]), np.array([1.0, -1.0])
    starts, columns, values = kernels.product_of_rows(*a, *b, 1)
    assert (list(starts), list(columns), list(values)) == ([0, 1], [0], [0.0])


@pytest.mark.parametrize("first, second", [([], []), ([1, 4, 9], []), ([1, 4, 9], [4]), ([0, 2, 3], [0, 1, 3, 8])])
def test_what_two_lists_share(kernels, first, second):
    first, second = np.array(first, np.int64), np.array(second, np.int64)
    places = np.empty((2, min(len(first), len(second)) + 1), np.int64)
    count = kernels.common(*places, first, second)
    np.testing.assert_array_equal(first[places[0, :count]], second[places[1, :count]])
    assert count == len(set(first.tolist()) & set(second.tolist()))


@pytest.mark.parametrize("starts, columns", [([0, 1, 1], [2]), ([0, 1, 1], [-1]), ([1, 1, 1], [0]), ([0, 2, 1], [0]),
                                             ([0, 0, 2], [0])])
def test_lists_that_lead_outside_are_refused(kernels, starts, columns):
    starts, columns = np.array(starts), np.array(columns)
    with pytest.raises(ValueError):
        kernels.add_rows_by_dense(np.zeros((2, 3)), starts, columns, np.ones(1), np.zeros((2, 3)), 1)


def test_products_have_the_same_bits_on_any_number_of_threads(kernels):
    a, b = some_rows(300, 200, np.float32, 1), some_rows(200, 400, np.float32, 2)
    before, answers = pool.get_threads(), []
    try:
        for count in (1, 2, 3):
            pool.set_threads(count)
            answers.append(b"".join(part.tobytes() for part in kernels.product_of_rows(*a, *b, 400)))
    finally:
        pool.set_threads(before)
    assert len(set(answers)) == 1
