"""Roots, reciprocals and negatives: the compiled kernels equal their reference, infinities and NaN included."""

from __future__ import annotations

import numpy as np
import pytest

from mindtorch_v2.devices.cpu.reference import unary as reference

compiled = pytest.importorskip("mindtorch_v2.devices.cpu.compiled.unary")
VALUES = [0.0, -0.0, 1.0, 2.5, -3.0, 1e-30, 1e30, np.inf, -np.inf, np.nan]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
@pytest.mark.parametrize("name", ["sqrt", "rsqrt", "reciprocal", "neg"])
def test_kernel_equals_reference(name, dtype):
    with np.errstate(all="ignore"):
        x = np.array(VALUES, dtype)
    ours, theirs = np.empty_like(x), np.empty_like(x)
    getattr(compiled, name)(ours, x)
    getattr(reference, name)(theirs, x)
    np.testing.assert_allclose(ours, theirs, rtol=1e-6)
