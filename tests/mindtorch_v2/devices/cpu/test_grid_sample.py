"""Elements at the places of a grid, forward and back."""
from __future__ import annotations

import itertools

import numpy as np
import pytest

LOOSE = {"float32": 1e-4, "float64": 1e-12, "bfloat16": 2**-5}
LINEAR, NEAREST, CUBIC = range(3)
ZEROS, BORDER, REFLECTION = range(3)
KINDS = [kind for kind in itertools.product((2, 3), (LINEAR, NEAREST, CUBIC), (ZEROS, BORDER, REFLECTION),
                                            (False, True)) if kind[:2] != (3, CUBIC)]


def test_equals_torch(replay, fact):
    replay(fact, of_largest=1e-6)


@pytest.mark.parametrize("rank, interpolation, padding, align_corners", KINDS)
def test_compiled_equals_reference(agree, drawn, rank, interpolation, padding, align_corners, dtype):
    x, places = drawn((2, 3, *(4, 6, 5)[3 - rank:]), dtype), (2, *(3, 4, 15)[3 - rank:])
    grid = (drawn((*places, rank), np.float64) * 0.8).astype(dtype)
    g, loose = drawn((2, 3, *places[1:]), dtype), LOOSE[dtype.name]
    rest = interpolation, padding, align_corners
    agree("grid_sampler", np.empty_like(g), x, grid, *rest, of_largest=loose)
    agree("grid_sampler_backward", np.empty_like(x), np.empty_like(grid), g, x, grid, *rest, of_largest=loose)


def test_only_the_gradients_asked_for_are_written(kernels):
    x, grid = np.ones((1, 1, 2, 2), np.float32), np.zeros((1, 1, 1, 2), np.float32)
    g, to = np.ones((1, 1, 1, 1), np.float32), np.full_like(x, 9)
    kernels.grid_sampler_backward(to, None, g, x, grid, LINEAR, ZEROS, True)
    np.testing.assert_array_equal(to, np.full_like(x, 0.25))


@pytest.mark.parametrize("place", [np.nan, np.inf, -np.inf, 1e38])
@pytest.mark.parametrize("interpolation, padding", itertools.product(range(3), range(3)))
def test_places_far_away_read_nothing_else(kernels, interpolation, padding, place):
    x, grid = np.full((1, 1, 3, 3), 5, np.float32), np.full((1, 1, 1, 2), place, np.float32)
    out = np.empty((1, 1, 1, 1), np.float32)
    kernels.grid_sampler(out, x, grid, interpolation, padding, False)
    assert out[0, 0, 0, 0] in (0, 5) or np.isnan(out[0, 0, 0, 0])


def test_what_lies_outside_does_not_spoil_the_rest(kernels):
    x, grid = np.full((1, 1, 2, 2), np.inf, np.float32), np.full((1, 1, 1, 2), 5, np.float32)
    out = np.empty((1, 1, 1, 1), np.float32)
    kernels.grid_sampler(out, x, grid, LINEAR, ZEROS, False)
    assert out[0, 0, 0, 0] == 0


def test_cubic_places_exist_in_two_dimensions_only(kernels):
    x, grid = np.ones((1, 1, 2, 2, 2), np.float32), np.zeros((1, 1, 1, 1, 3), np.float32)
    with pytest.raises(ValueError, match="do not fit"):
        kernels.grid_sampler(np.empty((1, 1, 1, 1, 1), np.float32), x, grid, CUBIC, ZEROS, False)
