"""Lines of our own in the place of NumPy's: as NumPy computes, in any layout and size."""

from __future__ import annotations

import numpy as np
import pytest

WHOLE = [np.uint8, np.int8, np.int16, np.int32, np.int64]
ANGLES = np.concatenate([np.linspace(-30, 30, 3001), np.linspace(-2e5, 2e5, 301), np.pi / 2 * np.arange(-9, 9),
                         [0.0, -0.0, 1e22, np.inf, -np.inf, np.nan, 5e-324]])


def computed(kernels, function, *operands):
    kind = np.bool_ if function is np.logical_not else operands[0].dtype
    out = np.empty(np.broadcast_shapes(*[a.shape for a in operands]), kind)
    assert kernels.run_numpy_loop(function, out, *operands)
    return out


@pytest.mark.parametrize("function", [np.sin, np.cos])
def test_angles_are_exact_to_their_last_bits(kernels, function):
    with np.errstate(invalid="ignore"):
        for x in (ANGLES, ANGLES[::2], ANGLES[:500]):
            np.testing.assert_allclose(computed(kernels, function, x), function(x), rtol=3e-16, atol=1e-19)


@pytest.mark.parametrize("function", [np.negative, np.conjugate, np.reciprocal, np.logical_not])
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_numbers(kernels, function, dtype):
    x = (np.arange(-60, 60) + 1j * np.arange(60, -60, -1)).reshape(10, 12).astype(dtype)
    for source in (x, x.T, x[::2, ::-3]):
        np.testing.assert_allclose(computed(kernels, function, source), function(source), rtol=1e-6)


@pytest.mark.parametrize("dtype", [np.bool_, *WHOLE, np.float32, np.float64])
def test_what_is_zero_is_not_true(kernels, dtype):
    x = np.resize([0, 1, 2, 0, 100], (30, 50)).astype(dtype)
    for source in (x, x.T, x[:, ::2]):
        np.testing.assert_array_equal(computed(kernels, np.logical_not, source), source == 0)


@pytest.mark.parametrize("function", [np.left_shift, np.right_shift])
@pytest.mark.parametrize("dtype", WHOLE)
def test_bits_are_shifted_by_any_distance(kernels, function, dtype):
    x = np.resize([1, 5, 100, 127, 0, 64] if dtype is np.uint8 else [1, -5, 100, -128, 0, -1], (20, 60)).astype(dtype)
    distances = np.resize([0, 1, 3, 7, 8, 31, 63, 64, 100], (20, 60)).astype(dtype)
    for a, b in ((x, distances), (x.T, distances.T), (x, np.array(2, dtype)), (x[:, ::2], distances[:1, ::2])):
        np.testing.assert_array_equal(computed(kernels, function, a, b), function(a, b))
