"""Rows of a table put together in bags."""
from __future__ import annotations

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


@pytest.mark.parametrize("index, bag", [([3], [0]), ([0], [2])])
def test_an_index_outside_is_refused(kernels, index, bag):
    with pytest.raises(IndexError):
        kernels.add_rows_to_bags(np.zeros((2, 2)), np.zeros((3, 2)), np.array(index), np.array(bag), None)


def test_a_bag_of_not_a_number_keeps_what_came_first(kernels):
    largest, where, both = np.zeros((1, 1)), np.zeros((1, 1), np.int64), np.array([0, 1])
    kernels.largest_of_bags(largest, where, np.array([[np.nan], [1.0]]), both, both, np.array([0, 0]))
    assert np.isnan(largest[0, 0])
    assert where[0, 0] == 0
