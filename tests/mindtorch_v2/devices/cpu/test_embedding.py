"""Rows by index: taken, added, and the gradient of an embedding."""
from __future__ import annotations

import numpy as np
import pytest


def test_equals_torch(replay, fact):
    replay(fact)


@pytest.mark.parametrize("count, rows, cols", [(16, 7, 32), (5, 3, 1), (1, 1, 1), (0, 4, 3), (4, 3, 0)])
@pytest.mark.parametrize("by_frequency", [False, True])
def test_compiled_gradient_equals_reference(agree, drawn, count, rows, cols, by_frequency, dtype):
    index = np.arange(count) * 5 % rows
    weight, grad = np.zeros((rows, cols), dtype), drawn((count, cols), dtype)
    agree("embedding_dense_backward", weight, grad, index, 1, by_frequency)


@pytest.mark.parametrize("count, rows, cols", [(16, 7, 32), (5, 3, 1), (0, 4, 3)])
def test_compiled_sums_and_picks_equal_reference(agree, drawn, count, rows, cols, dtype):
    index, table = np.arange(count) * 5 % rows, drawn((rows, cols), dtype)
    agree("index_add", table, index, drawn((count, cols), dtype), 0.5)
    agree("take_rows", np.empty((count, cols), dtype), table, index)


@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_integers_are_added_exactly(kernels, kind):
    out = np.array([[2**30], [5]], kind)
    kernels.index_add(out, np.array([0, 0, 1]), np.array([[1], [2], [3]], kind), 2)
    np.testing.assert_array_equal(out, [[2**30 + 6], [11]])


@pytest.mark.parametrize("kind", [np.bool_, np.int8, np.float16, np.complex128])
def test_rows_of_any_dtype_are_taken(kernels, kind):
    table = np.arange(6).reshape(3, 2).astype(kind)
    out = np.zeros((2, 2), kind)
    kernels.take_rows(out, table, np.array([2, 0]))
    np.testing.assert_array_equal(out, table[[2, 0]])


@pytest.mark.parametrize("bad", [3, -1])
def test_taking_a_row_that_is_not_there(kernels, bad):
    with pytest.raises(IndexError, match="^index out of range in self$"):
        kernels.take_rows(np.empty((1, 2)), np.zeros((3, 2)), np.array([bad]))


@pytest.mark.parametrize("bad", [3, -1])
def test_adding_to_a_row_that_is_not_there(kernels, bad):
    out = np.zeros((3, 2))
    with pytest.raises(RuntimeError, match=rf"^index {bad} is out of bounds for dimension 0 with size 3$"):
        kernels.index_add(out, np.array([0, bad]), np.ones((2, 2)), 1)
    assert not out.any()


def test_gradient_passes_over_rows_outside_the_table(kernels):
    weight = np.zeros((2, 1), np.float32)
    kernels.embedding_dense_backward(weight, np.ones((3, 1), np.float32), np.array([0, 5, -3]), -1, False)
    np.testing.assert_array_equal(weight, [[1], [0]])
