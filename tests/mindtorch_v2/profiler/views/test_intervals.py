"""Stretches of time: unions, shares, and which of nested ones is innermost."""

from __future__ import annotations

import numpy as np

from mindtorch_v2.profiler.views import intervals


def array(*values):
    return np.array(values, np.int64)


def test_stretches_that_overlap_or_touch_are_one():
    starts, ends = intervals.union(array(50, 0, 10, 20, 70), array(60, 15, 20, 30, 70))
    assert (starts.tolist(), ends.tolist()) == ([0, 50], [30, 60])


def test_an_instant_belongs_to_the_first_layer_that_covers_it():
    layers = [(array(10), array(20)), (array(0, 15), array(12, 40)), (array(0), array(100))]
    assert intervals.shares_ns(layers, 0, 50) == [10, 30, 10]


def test_the_innermost_stretch_holds_its_start_and_not_its_end():
    starts, ends = array(0, 10, 12, 40), array(100, 30, 20, 50)
    moments = array(5, 10, 12, 20, 30, 40, 50, 100)
    assert intervals.innermost(starts, ends, moments).tolist() == [0, 1, 2, 1, 0, 3, 0, -1]


def test_without_stretches_nothing_holds_a_moment():
    assert intervals.innermost(array(), array(), array(5)).tolist() == [-1]
