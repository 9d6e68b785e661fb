"""Fourier transforms along a middle dimension: as NumPy's in double precision, however lines lie; both builds alike."""

from __future__ import annotations

import numpy as np
import pytest

TYPES = [np.dtype(np.complex64), np.dtype(np.complex128)]
ERROR = {"complex64": 5e-7, "complex128": 1e-15}  # of the largest number of a line
LENGTHS = [2, 3, 4, 5, 7, 8, 9, 11, 13, 15, 16, 30, 64, 91, 125, 128, 243, 400, 1024, 2310]
SHAPES = [(20, 1), (3, 5), (2, 37), (1, 16), (0, 4)]  # of the dimensions around it


def complex_drawn(drawn, shape, dtype):
    return (drawn(shape, np.float64) + 1j * drawn(shape, np.float64)).astype(dtype)


def assert_near(found, expected, dtype):
    assert found.dtype == dtype
    largest = abs(expected).max(initial=0)
    np.testing.assert_allclose(found, expected, atol=ERROR[np.result_type(dtype, np.complex64).name] * largest, rtol=0)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("n", LENGTHS)
def test_complex_lines(kernels, drawn, n, dtype):
    for outer, inner in SHAPES:
        x = complex_drawn(drawn, (outer, n, inner), dtype)
        out = np.empty_like(x)
        kernels.complex_lines(out, x, 0.5, True)
        assert_near(out, np.fft.fft(x.astype(complex), axis=1) / 2, dtype)
        kernels.complex_lines(x, x, 1 / n, False)  # in its place
        kernels.complex_lines(out, x, 1, True)
        kernels.complex_lines(out, out, 1 / n, False)
        assert_near(out, x, dtype)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("n", LENGTHS)
def test_real_lines_there_and_back(kernels, drawn, n, dtype):
    for outer, inner in SHAPES:
        x = drawn((outer, n, inner), dtype.type(0).real.dtype)
        half, whole = np.empty((outer, n // 2 + 1, inner), dtype), np.empty((outer, n, inner), dtype)
        kernels.real_lines(half, x, 2)
        kernels.real_lines(whole, x, 1)
        assert_near(half, 2 * np.fft.rfft(x.astype(float), axis=1), dtype)
        assert_near(whole, np.fft.fft(x.astype(float), axis=1), dtype)
        back = np.empty_like(x)
        kernels.lines_to_real(back, half, 1 / (2 * n))
        assert_near(back, x, x.dtype)


@pytest.mark.parametrize("n", [10, 9])
def test_imaginary_parts_that_no_real_number_has_are_not_looked_at(kernels, drawn, n):
    half = complex_drawn(drawn, (5, n // 2 + 1, 3), TYPES[1])
    plain, odd = half.copy(), half.copy()
    plain[:, 0].imag = 0
    odd[:, 0].imag = 7
    if n % 2 == 0:
        plain[:, -1].imag, odd[:, -1].imag = 0, 7
    out, expected = np.empty((5, n, 3)), np.empty((5, n, 3))
    kernels.lines_to_real(out, odd, 1)
    kernels.lines_to_real(expected, plain, 1)
    np.testing.assert_array_equal(out, expected)


def test_lines_with_any_steps(kernels, drawn):
    x = complex_drawn(drawn, (12, 36, 10), TYPES[0])
    for view in (x[::2, ::3, ::2], x[::-1, ::-1], x.swapaxes(0, 2), x.real[:, :, 3:]):
        out = np.empty_like(view, TYPES[0])
        if view.dtype.kind == "c":
            kernels.complex_lines(out, view, 1, True)
        else:
            kernels.real_lines(out, view, 1)
        assert_near(out, np.fft.fft(view.astype(complex), axis=1), TYPES[0])


def test_a_line_knows_nothing_of_its_neighbours(kernels, drawn):
    x = drawn((18, 24, 1), np.float32)
    x[3, 5], x[7, 2] = np.nan, np.inf
    x[9] *= 1e30
    out = np.empty((18, 13, 1), np.complex64)
    kernels.real_lines(out, x, 1)
    alone = np.empty_like(out)
    for i in range(18):
        kernels.real_lines(alone[i:i + 1], x[i:i + 1], 1)
    np.testing.assert_array_equal(out, alone)
    assert np.isfinite(np.delete(out, (3, 7), 0)).all()


def test_lengths_with_large_factors_have_another_way():
    fourier = pytest.importorskip("mindtorch_v2.devices.cpu.compiled.fourier", reason="not compiled")
    assert [n for n in range(1, 40) if not fourier.takes(n, 100, True)] == [1, 17, 19, 23, 29, 31, 34, 37, 38]
    with pytest.raises(ValueError, match="another way"):
        fourier.complex_lines(np.zeros((9, 17, 1), "F"), np.zeros((9, 17, 1), "F"), 1, True)
    with pytest.raises(ValueError, match="one precision"):
        fourier.complex_lines(np.zeros((9, 16, 1), "F"), np.zeros((9, 16, 1), "D"), 1, True)
    with pytest.raises(ValueError, match="does not fit"):
        fourier.lines_to_real(np.zeros((9, 16, 1), "f"), np.zeros((9, 8, 1), "F"), 1)
