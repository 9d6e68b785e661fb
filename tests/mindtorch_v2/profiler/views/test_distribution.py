"""How numbers are spread."""

from __future__ import annotations

import numpy as np

from mindtorch_v2.profiler.views.distribution import NOTHING, Spread, spread, spreads


def test_places_in_the_order_are_nearest_ranks():
    assert spread(np.arange(1, 101)[::-1]) == Spread(100, 5050, 1, 50, 95, 100)
    assert spread(np.array([7])) == Spread(1, 7, 7, 7, 7, 7)
    assert spread(np.array([3, 1])) == Spread(2, 4, 1, 1, 3, 3)


def test_each_group_has_its_own_and_a_group_without_numbers_has_none():
    assert spreads(np.array([5, 1, 9]), np.array([0, 2, 0]), 3) == [
        Spread(2, 14, 5, 5, 9, 9), NOTHING, Spread(1, 1, 1, 1, 1, 1)]
    assert spreads(np.zeros(0, np.int64), np.zeros(0, np.int64), 1) == [NOTHING]
