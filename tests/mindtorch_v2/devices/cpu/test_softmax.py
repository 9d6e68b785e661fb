"""Softmax and log-softmax over the middle axis, forward and back."""
from __future__ import annotations

import numpy as np
import pytest

LOOSE = {"float32": 2e-6, "float64": 1e-14, "bfloat16": 2**-7}
SHAPES = [(16, 32, 1), (5, 7, 1), (2, 1500, 1), (3, 4, 70), (2, 3, 5), (1, 1, 1), (0, 4, 1), (3, 0, 1), (2, 4, 0)]


def test_equals_torch(replay, fact):
    replay(fact)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_compiled_equals_reference(agree, drawn, name, shape, dtype):
    agree(name, np.empty(shape, dtype), drawn(shape, dtype), *shape)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["softmax_backward", "log_softmax_backward"])
def test_compiled_derivative_equals_reference(agree, drawn, name, shape, dtype):
    x = drawn(shape, np.float64)
    y = (x - np.logaddexp.reduce(x, axis=1, keepdims=True, initial=-np.inf)).astype(dtype)
    agree(name, np.empty(shape, dtype), drawn(shape, dtype), y, *shape, of_largest=LOOSE[dtype.name])


def test_large_values_do_not_overflow(kernels):
    x = np.array([[1e4, 1e4 - 1, -1e4]], np.float32)
    out = np.empty_like(x)
    kernels.softmax(out, x, 1, 3, 1)
    np.testing.assert_allclose(out, [[0.7310586, 0.26894143, 0]], rtol=1e-6)


def test_a_nan_spoils_its_own_row_only(kernels):
    x = np.zeros((2, 20), np.float32)
    x[0, 3] = np.nan
    out = np.empty_like(x)
    kernels.log_softmax(out, x, 2, 20, 1)
    assert np.isnan(out[0]).all() and np.isfinite(out[1]).all()


def test_arrays_of_two_dtypes_are_refused():
    compiled = pytest.importorskip("mindtorch_v2.devices.cpu.compiled.softmax", reason="not compiled")
    with pytest.raises(ValueError, match="one dtype"):
        compiled.softmax(np.empty((2, 2)), np.empty((2, 2), np.float32), 2, 2, 1)
