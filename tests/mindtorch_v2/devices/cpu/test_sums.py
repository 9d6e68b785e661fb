"""Sums and norms: the compiled kernels equal their reference, over any run of dimensions."""

from __future__ import annotations

import numpy as np
import pytest

from mindtorch_v2.devices.cpu.reference import sums as reference

compiled = pytest.importorskip("mindtorch_v2.devices.cpu.compiled.sums")
SHAPES = [(1, 1, 1), (3, 15, 1), (2, 16, 1), (2, 79, 1), (1, 70_001, 1), (2, 5000, 1), (2, 9, 3), (1, 131, 300),
          (4, 0, 2)]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("outer", "n", "inner"), SHAPES)
def test_total_equals_reference(dtype, outer, n, inner):
    x = np.random.default_rng(0).uniform(-2, 2, (outer, n, inner)).astype(dtype)
    ours, theirs = np.empty((outer, inner), dtype), np.empty((outer, inner), dtype)
    compiled.total(ours, x, outer, n, inner)
    reference.total(theirs, x, outer, n, inner)
    np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6 * max(n, 1) ** 0.5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
@pytest.mark.parametrize(("outer", "n", "inner"), SHAPES)
@pytest.mark.parametrize("name", ["largest", "smallest"])
def test_extremes_equal_reference_and_show_every_nan(name, dtype, outer, n, inner):
    x = np.random.default_rng(0).uniform(-2, 2, (outer, n, inner)).astype(dtype)
    for value in (None, np.inf, -np.inf, np.nan):
        if value is not None and n:
            x[outer - 1, n - 1, 0] = x[0, n // 2, inner - 1] = value
        ours, theirs = np.empty((outer, inner), dtype), np.empty((outer, inner), dtype)
        getattr(compiled, name)(ours, x, outer, n, inner)
        getattr(reference, name)(theirs, x, outer, n, inner)
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
@pytest.mark.parametrize("n", [0, 1, 2, 7, 1000])
def test_root_of_squares_equals_reference(dtype, n):
    x = np.random.default_rng(1).uniform(-2, 2, n).astype(dtype)
    assert compiled.root_of_squares(x) == pytest.approx(reference.root_of_squares(x), rel=1e-12)
