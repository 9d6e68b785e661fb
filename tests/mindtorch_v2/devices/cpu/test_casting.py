"""Casts between all types: the compiled kernel equals NumPy's casts, in any layout; half precision is rounded by way of
float32, complex numbers give their real part."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from .conftest import load

TYPES = [np.bool_, np.uint8, np.int8, np.int16, np.int32, np.int64, np.float16, ml_dtypes.bfloat16, np.float32,
         np.float64, np.complex64, np.complex128]
NUMBERS = [-3.7, -1.0, -0.0, 0.0, 0.3, 1.0, 2.5, 100.0, 120.0, -100.5, np.pi]


@pytest.mark.parametrize("of", TYPES)
@pytest.mark.parametrize("to", TYPES)
def test_casts_equal_reference_in_any_layout(to, of):
    whole = np.dtype(of).kind in "iub" or np.dtype(to) == np.uint8
    a = np.resize(np.abs(np.trunc(NUMBERS)) if whole else NUMBERS, (40, 36)).astype(of)
    a = a + np.array(2j).astype(of) if np.dtype(of).kind == "c" else a
    for source in (a, a.T, a[::2, ::-3], a[0]):
        ours, theirs = np.empty((2, *source.shape), to), np.empty((2, *source.shape), to)
        for build, out in (("compiled", ours), ("reference", theirs)):
            assert load(build, "casting").cast(out[:, ...], source)
        assert ours.tobytes() == theirs.tobytes()


@pytest.mark.parametrize("of", [np.float16, ml_dtypes.bfloat16, np.float32, np.float64])
def test_what_is_no_number_is_true(kernels, of):
    out = np.empty(4, np.bool_)
    assert kernels.cast(out, np.array([np.nan, np.inf, 0, -0.0]).astype(of))
    assert out.tolist() == [True, True, False, False]


def test_other_types_are_left_alone(kernels):
    out = np.full(3, 7, np.uint16)
    assert not kernels.cast(out, np.zeros(3, np.float32))
    assert out.tolist() == [7, 7, 7]
