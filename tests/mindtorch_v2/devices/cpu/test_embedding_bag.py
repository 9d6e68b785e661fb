"""Rows of a table put together in bags."""
from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest


def test_equals_torch(replay, fact):
    replay(fact)


@pytest.mark.parametrize("count, rows, cols, bags", [(16, 7, 32, 4), (5, 3, 1, 5), (0, 4, 3, 2), (4, 3, 0, 2)])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_compiled_bags_equal_reference(agree, drawn, count, rows, cols, bags, kind):
    index, bag = np.arange(count) * 5 % rows, np.arange(count) * 3 % bags
    table, sums = drawn((rows, cols), kind), np.zeros((bags, cols), kind)
    agree("add_rows_to_bags", sums, table, index, bag, None)
    agree("add_rows_to_bags", sums, table, index, bag, drawn((count,), kind))
    agree("largest_of_bags", sums, np.zeros((bags, cols), np.int64), table, index, index + 100, bag)


@pytest.mark.parametrize("kind", [ml_dtypes.bfloat16, np.float16])
@pytest.mark.parametrize("count, rows, cols, bags", [(40, 7, 33, 3), (0, 4, 3, 2), (4, 3, 0, 2)])
def test_rows_of_halves_are_rounded_each_time(agree, drawn, count, rows, cols, bags, kind):
    index, bag = np.arange(count) * 5 % rows, np.arange(count) * 3 % bags
    table, sums = drawn((rows, cols), kind), np.zeros((bags, cols), kind)
    agree("add_rows_to_bags", sums, table, index, bag, None)
    agree("add_rows_to_bags", sums, table, index, bag, drawn((count,), kind))


@pytest.mark.parametrize("bounds, cols", [([0, 3, 3, 16], 100), ([2, 5, 9], 16), ([0, 16], 5), ([0], 7), ([0, 1], 0)])
def test_compiled_sums_of_bags_equal_reference(agree, drawn, bounds, cols, dtype):
    table, index, sums = drawn((7, cols), dtype), np.arange(16) * 5 % 7, np.empty((len(bounds) - 1, cols), dtype)
    rounding = {2: 2**-7, 4: 2e-6, 8: 1e-14}[dtype.itemsize]
    for scales in (None, drawn((16,), np.float32 if dtype.itemsize == 2 else dtype)):
        agree("sum_of_bags", sums, table, index, np.array(bounds), scales, of_largest=rounding)


@pytest.mark.parametrize("index, bounds", [([3], [0, 1]), ([-1], [0, 1]), ([0], [1, 0]), ([0], [0, 2])])
def test_bags_of_what_is_not_there_are_refused(kernels, index, bounds):
    with pytest.raises(IndexError):
        kernels.sum_of_bags(np.zeros((1, 2)), np.zeros((3, 2)), np.array(index), np.array(bounds), None)


@pytest.mark.parametrize("index, bag", [([3], [0]), ([0], [2])])
def test_an_index_outside_is_refused(kernels, index, bag):
    with pytest.raises(IndexError):
        kernels.add_rows_to_bags(np.zeros((2, 2)), np.zeros((3, 2)), np.array(index), np.array(bag), None)


def test_a_bag_of_not_a_number_keeps_what_came_first(kernels):
    largest, where, both = np.zeros((1, 1)), np.zeros((1, 1), np.int64), np.array([0, 1])
    kernels.largest_of_bags(largest, where, np.array([[np.nan], [1.0]]), both, both, np.array([0, 0]))
    assert np.isnan(largest[0, 0])
    assert where[0, 0] == 0
