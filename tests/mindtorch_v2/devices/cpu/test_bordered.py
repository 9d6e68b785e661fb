"""Borders that show elements of an array, and their gradients: both builds alike, and nothing outside is shown."""

from __future__ import annotations

import numpy as np
import pytest

SHOWN = [([0], [0], [2, 1, 0, 1, 2, 3, 2]), ([0], [0, 0, 1, 2, 2, 2], [0, 0, 1, 2, 3, 3]), ([1, 0, 1], [2, 1], [1]),
         ([0, 1], [2, 0, 1], []), ([0], [1], [3, 0, 3])]


@pytest.mark.parametrize("planes", [0, 1, 5])
@pytest.mark.parametrize("shown", SHOWN)
def test_compiled_borders_equal_reference(agree, drawn, shown, planes, dtype):
    x, shown = drawn((planes, 2, 3, 4), dtype), tuple(np.array(places, np.int64) for places in shown)
    x.reshape(-1)[::7] = np.nan
    padded = drawn((planes, *map(len, shown)), dtype)
    agree("show_places", np.empty_like(padded), x, *shown)
    agree("add_places", np.zeros_like(x), padded, *shown)


@pytest.mark.parametrize("kind", [np.bool_, np.int8, np.float16, np.int32, np.int64])
def test_elements_of_any_size_are_shown(agree, kind):
    x, shown = np.arange(24).reshape(2, 1, 3, 4).astype(kind), [[0], [0, 1, 2, 2], [1, 0, 1, 2, 3, 2]]
    agree("show_places", np.empty((2, 1, 4, 6), kind), x, *(np.array(places, np.int64) for places in shown))


def test_sums_of_float16_are_rounded_each_time(agree, drawn):
    padded, shown = drawn((2, 1, 4, 40), np.float16), [[0], [0, 0, 1, 1], [*range(36), 3, 3, 3, 3]]
    agree("add_places", np.zeros((2, 1, 2, 36), np.float16), padded, *(np.array(places, np.int64) for places in shown))


def test_an_element_that_is_not_there_is_refused(kernels):
    x, out = np.zeros((1, 1, 1, 3), np.float32), np.zeros((1, 1, 1, 2), np.float32)
    for places in ([0, 3], [-4, 0]):
        with pytest.raises((ValueError, IndexError)):
            kernels.show_places(out, x, np.zeros(1, np.int64), np.zeros(1, np.int64), np.array(places))
