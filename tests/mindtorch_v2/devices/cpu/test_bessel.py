"""Modified Bessel functions: the compiled kernels equal SciPy's to the last digits, as long as both are finite."""

from __future__ import annotations

import numpy as np
import pytest

from .conftest import load

CORNERS = [0.0, -0.0, 8.0, -8.0, np.inf, -np.inf, np.nan, 1e10, 1e-30]
NAMES = ["bessel_i0", "bessel_i0e", "bessel_i1", "bessel_i1e"]


@pytest.mark.parametrize(("dtype", "rtol"), [(np.float32, 2e-7), (np.float64, 2e-14), (np.float16, 1e-3)])
@pytest.mark.parametrize("name", NAMES)
def test_kernel_equals_reference(name, dtype, rtol):
    x = np.concatenate([np.linspace(-20, 20, 501), np.linspace(-85, 85, 101), CORNERS]).astype(dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        for source in (x, x[::-2]):
            ours, theirs = np.empty(source.shape, dtype), np.empty(source.shape, np.float64)
            load("compiled", "bessel").__dict__[name](ours, source)
            load("reference", "bessel").__dict__[name](theirs, source.astype(np.float64))
            np.testing.assert_allclose(ours.astype(np.float64), theirs.astype(dtype).astype(np.float64), rtol=rtol)
