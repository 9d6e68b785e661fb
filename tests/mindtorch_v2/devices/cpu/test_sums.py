"""Sums, products, extremes and norms: the compiled kernels equal their reference, over any run of dimensions."""

from __future__ import annotations

import ml_dtypes
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


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize(("outer", "n", "inner"), SHAPES)
@pytest.mark.parametrize("name", ["number_total", "root_of_squares", "product"])
def test_other_reductions_equal_reference(name, dtype, outer, n, inner):
    x = np.random.default_rng(1).uniform(-1.2, 1.2, (outer, n, inner)).astype(dtype)
    if n and name == "number_total":
        x[0, n // 2, inner - 1] = np.nan
    wide = x.astype(np.float64)
    ours, theirs = np.empty((outer, inner), dtype), np.empty((outer, inner))
    getattr(compiled, name)(ours, x, outer, n, inner)
    getattr(reference, name)(theirs, wide, outer, n, inner)
    tolerance = max(np.finfo(np.float32).eps * 8, 2 * float(ml_dtypes.finfo(dtype).eps))
    np.testing.assert_allclose(ours.astype(np.float64), theirs, rtol=tolerance, atol=tolerance * max(n, 1) ** 0.5)


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int32, np.int64, np.int16])
@pytest.mark.parametrize(("outer", "n", "inner"), SHAPES)
def test_sums_of_whole_numbers_equal_reference(dtype, outer, n, inner):
    x = np.random.default_rng(2).integers(0, 100, (outer, n, inner)).astype(dtype)
    ours, theirs = np.empty((outer, inner), np.int64), np.empty((outer, inner), np.int64)
    compiled.whole_total(ours, x, outer, n, inner)
    reference.whole_total(theirs, x, outer, n, inner)
    np.testing.assert_array_equal(ours, theirs)
