"""Sums, products, extremes and norms: the compiled kernels equal their reference, over any dimensions and layout."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from mindtorch_v2.devices.cpu.kernels import KERNELS
from mindtorch_v2.devices.cpu.reference import sums as reference

compiled = pytest.importorskip("mindtorch_v2.devices.cpu.compiled.sums")
SHAPES = [(1, 1, 1), (3, 15, 1), (2, 16, 1), (2, 79, 1), (1, 70_001, 1), (2, 5000, 1), (2, 9, 3), (1, 131, 300),
          (4, 0, 2)]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("outer", "n", "inner"), SHAPES)
def test_total_equals_reference(dtype, outer, n, inner):
    x = np.random.default_rng(0).uniform(-2, 2, (outer, n, inner)).astype(dtype)
    ours, theirs = np.empty((outer, inner), dtype), np.empty((outer, inner), dtype)
    compiled.total(ours, x, (1,))
    reference.total(theirs, x, (1,))
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
        getattr(compiled, name)(ours, x, (1,))
        getattr(reference, name)(theirs, x, (1,))
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize(("outer", "n", "inner"), SHAPES)
@pytest.mark.parametrize("name", ["number_total", "root_of_squares", "product", "size_total", "largest_size"])
def test_other_reductions_equal_reference(name, dtype, outer, n, inner):
    x = np.random.default_rng(1).uniform(-1.2, 1.2, (outer, n, inner)).astype(dtype)
    if n and name == "number_total":
        x[0, n // 2, inner - 1] = np.nan
    wide = x.astype(np.float64)
    ours, theirs = np.empty((outer, inner), dtype), np.empty((outer, inner))
    getattr(compiled, name)(ours, x, (1,))
    getattr(reference, name)(theirs, wide, (1,))
    tolerance = max(np.finfo(np.float32).eps * 8, 2 * float(ml_dtypes.finfo(dtype).eps))
    np.testing.assert_allclose(ours.astype(np.float64), theirs, rtol=tolerance, atol=tolerance * max(n, 1) ** 0.5)


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int8, np.int16, np.int32, np.int64])
@pytest.mark.parametrize(("outer", "n", "inner"), SHAPES)
def test_sums_of_whole_numbers_equal_reference(dtype, outer, n, inner):
    x = np.random.default_rng(2).integers(0, 100, (outer, n, inner)).astype(dtype)
    ours, theirs = np.empty((outer, inner), np.int64), np.empty((outer, inner), np.int64)
    compiled.total(ours, x, (1,))
    reference.total(theirs, x, (1,))
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int8, np.int16, np.int32, np.int64])
@pytest.mark.parametrize(("outer", "n", "inner"), [shape for shape in SHAPES if shape[1]])
@pytest.mark.parametrize("name", ["largest", "smallest"])
def test_extremes_of_whole_numbers_equal_reference(name, dtype, outer, n, inner):
    ends = (0, 1) if dtype is np.bool_ else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    x = np.random.default_rng(4).integers(*ends, (outer, n, inner), endpoint=True).astype(dtype)
    ours, theirs = np.empty((outer, inner), dtype), np.empty((outer, inner), dtype)
    getattr(compiled, name)(ours, x, (1,))
    getattr(reference, name)(theirs, x, (1,))
    np.testing.assert_array_equal(ours, theirs)


TRUTHS = [np.bool_, np.uint8, np.int8, np.int16, np.int32, np.int64, np.float16, ml_dtypes.bfloat16, np.float32,
          np.float64]


@pytest.mark.parametrize("dtype", TRUTHS)
@pytest.mark.parametrize("layout", ["in order", "turned", "every other", "backwards"])
@pytest.mark.parametrize("dims", [(0,), (1,), (2,), (0, 2), (0, 1, 2)], ids=str)
def test_counts_and_truths_equal_reference(dims, layout, dtype):
    for share in (0, 1, 4):  # in five elements that are not zero
        for shape in ((3, 17, 40), (2, 5000, 3), (0, 3, 2)):
            x = np.random.default_rng(5).integers(0, 5, shape)
            x = LAYOUTS[layout](np.where(x < share, -1.0, -0.0).astype(dtype))
            if x.size and dtype in (np.float16, ml_dtypes.bfloat16, np.float32, np.float64):
                x[0, 0, 0] = np.nan
            kept = [size for d, size in enumerate(x.shape) if d not in dims]
            for name, kind in (("count_of_true", np.int64), ("any_true", np.bool_), ("all_true", np.uint8)):
                ours, theirs = np.empty(kept, kind), np.empty(kept, kind)
                getattr(compiled, name)(ours, x, dims)
                getattr(reference, name)(theirs, x, dims)
                np.testing.assert_array_equal(ours, theirs)


LAYOUTS = {
    "in order": lambda x: x,
    "turned": lambda x: x.transpose(2, 0, 1),
    "every other": lambda x: x[:, ::2, ::3],
    "with gaps": lambda x: x[1:, :, 3:],
    "repeated": lambda x: np.broadcast_to(x[:, :1], x.shape),
    "backwards": lambda x: x[:, ::-1, ::-1],
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64, ml_dtypes.bfloat16, np.int16])
@pytest.mark.parametrize("dims", [(), (0,), (1,), (2,), (0, 2), (1, 2), (0, 1), (0, 1, 2)], ids=str)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_dimensions_of_any_layout_are_summed(layout, dims, dtype):
    for shape in ((4, 6, 40), (70, 9, 5), (3, 300, 301)):
        x = LAYOUTS[layout](np.random.default_rng(3).integers(-9, 9, shape).astype(dtype))
        kept = tuple([1 if d in dims else size for d, size in enumerate(x.shape)])
        kind = np.dtype(np.int64) if dtype == np.int16 else x.dtype
        shorter = [size for d, size in enumerate(x.shape) if d not in dims]
        ours, dropped, turned = np.empty(kept, kind), np.empty(shorter, kind), np.empty(kept[::-1], kind).T
        expected = np.reshape(x.astype(np.float64).sum(axis=dims), kept).astype(kind)
        for out in (ours, dropped, turned):
            compiled.total(out, x, dims)
            np.testing.assert_array_equal(out.reshape(kept), expected)


@pytest.mark.parametrize("shape", [(40, 50), (3, 40, 50), (300, 1), (0, 3), (3, 0)])
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_numbers_are_added_and_multiplied_over_any_dimensions(drawn, dtype, shape):
    x = (drawn(shape) * 0.3 + 1j * drawn(shape) * 0.3).astype(dtype)
    for dims in [(d,) for d in range(len(shape))] + [tuple(range(len(shape)))]:
        for source in (x, np.asfortranarray(x)):
            total, product = (np.zeros([n for d, n in enumerate(shape) if d not in dims], dtype) for _ in range(2))
            KERNELS["sum"](total, source, dims)
            KERNELS["prod"](product, source, dims)
            count = np.zeros(total.shape, np.int64)
            compiled.count_of_true(count, source * (source.real > 0), dims)
            np.testing.assert_array_equal(count, np.count_nonzero(source.real > 0, dims))
            np.testing.assert_allclose(total, x.sum(dims), rtol=1e-4, atol=1e-4)
            np.testing.assert_allclose(product, x.prod(dims), rtol=1e-4, atol=1e-4)
