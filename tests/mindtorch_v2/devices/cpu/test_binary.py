"""Two numbers in, one out: the compiled kernels equal their reference, infinities, zeros and NaN included."""

from __future__ import annotations

import numpy as np
import pytest

NAMES = ["fmod", "remainder", "floor_divide", "hypot", "nextafter", "copysign", "logaddexp", "logaddexp2", "xlogy",
         "pow", "prelu"]
EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 4.0, -7.0, 1e-30, 1e30, np.inf, -np.inf, np.nan, 2.0**31, 1e-7]


@pytest.mark.parametrize("name", NAMES)
def test_edges_equal_reference(agree, dtype, name):
    if name == "nextafter" and dtype.itemsize == 2:
        pytest.skip("halves have neighbours of their own, which NumPy knows")
    with np.errstate(all="ignore"):
        x, y = (np.repeat(EDGES, len(EDGES)).astype(dtype), np.tile(EDGES, len(EDGES)).astype(dtype))
    agree(name, np.empty_like(x), x, y)


@pytest.mark.parametrize("name", NAMES)
def test_many_numbers_equal_reference(agree, drawn, name):
    x, y = drawn((40, 30), np.float64) * 100, drawn((40, 30), np.float64)
    agree(name, np.empty_like(x), np.abs(x) if name == "pow" else x, y)


@pytest.mark.parametrize("quotient", [2.0**20, 2.0**23, 2.0**40, 2.0**60])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_rest_of_a_division_is_exact_for_any_quotient(kernels, dtype, quotient):
    y = np.array([0.7, 1.1, 3.3, 1e-3] * 100, dtype)
    x = (y * dtype(quotient) * dtype(1.37)).astype(dtype)
    out = np.empty_like(x)
    kernels.fmod(out, x, y)
    np.testing.assert_array_equal(out, np.fmod(x, y))


def test_powers_of_doubles_are_less_than_a_unit_from_the_last_place(kernels):
    rng = np.random.default_rng(0)
    wide = np.longdouble
    for x, y in ((rng.uniform(0, 10, 4000), rng.uniform(-10, 10, 4000)),
                 (1 + rng.normal(0, 1e-3, 4000), rng.normal(0, 3e5, 4000)),
                 (10 ** rng.uniform(-300, 300, 4000), rng.uniform(-1, 1, 4000)),
                 (2 ** rng.uniform(-1073, 1000, 4000), rng.uniform(-0.9, 0.9, 4000))):
        ours = np.empty_like(x)
        kernels.pow(ours, x, y)
        with np.errstate(all="ignore"):
            exact = np.power(x.astype(wide), y.astype(wide))
            usual = (exact > 1e-307) & (exact < 1e308)
            places = np.abs(ours.astype(wide) - exact) / np.spacing(np.abs(exact).astype(np.float64)).astype(wide)
        assert np.finfo(wide).eps > 1e-18 or places[usual].max() < 1


def test_powers_of_special_doubles_are_those_of_the_c_library(kernels):
    special = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 2.0, -2.0, 3.0, -3.0, 2.5, -0.5, 1e308, 5e-324, 1e16]
    x, y = np.repeat(special, len(special)), np.tile(special, len(special))
    ours = np.empty_like(x)
    kernels.pow(ours, x, y)
    with np.errstate(all="ignore"):
        theirs = np.power(x, y)
    np.testing.assert_allclose(ours, theirs, rtol=4e-16, atol=5e-324)
    np.testing.assert_array_equal(np.signbit(ours)[~np.isnan(theirs)], np.signbit(theirs)[~np.isnan(theirs)])
