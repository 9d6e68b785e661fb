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
