"""Running sums, products and extremes: the compiled kernels equal their reference, along any dimension."""

from __future__ import annotations

import numpy as np
import pytest

SHAPES = [(1, 1, 1), (3, 15, 1), (8, 20, 1), (11, 7, 1), (2, 9, 3), (1, 31, 300), (4, 0, 2)]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("sizes", SHAPES)
@pytest.mark.parametrize("name", ["running_total", "running_product"])
def test_running_sums_and_products_equal_reference(agree, drawn, name, dtype, sizes):
    agree(name, np.empty(sizes, dtype), drawn(sizes, dtype), *sizes)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, np.int32])
@pytest.mark.parametrize("sizes", SHAPES)
@pytest.mark.parametrize("is_smallest", [False, True])
def test_of_equal_extremes_the_last_is_placed_and_nan_stays(agree, drawn, dtype, sizes, is_smallest):
    x = np.round(drawn(sizes) * 2).astype(dtype)
    if x.dtype.kind == "f" and x.size > 3:
        x.reshape(-1)[x.size // 2] = np.nan
    agree("running_extreme", np.empty(sizes, dtype), np.empty(sizes, np.int64), x, *sizes, is_smallest)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.bool_])
@pytest.mark.parametrize("sizes", SHAPES)
def test_extremes_of_small_whole_numbers_equal_reference(agree, drawn, dtype, sizes):
    x = np.round(np.abs(drawn(sizes)) * 2).astype(dtype)
    agree("running_extreme", np.empty(sizes, dtype), np.empty(sizes, np.int64), x, *sizes, False)


@pytest.mark.parametrize("sizes", SHAPES)
@pytest.mark.parametrize("name", ["running_total", "running_product"])
def test_whole_numbers_are_accumulated_exactly(agree, drawn, name, sizes):
    agree(name, np.empty(sizes, np.int64), (drawn(sizes) * 9).astype(np.int64), *sizes)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("sizes", SHAPES)
@pytest.mark.parametrize("name", ["running_total", "running_product"])
def test_complex_numbers_are_accumulated(kernels, drawn, name, dtype, sizes):
    x = (drawn(sizes) + 1j * drawn(sizes)).astype(dtype)
    out = np.empty(sizes, dtype)
    getattr(kernels, name)(out, x, *sizes)
    accumulate = np.cumsum if name == "running_total" else np.cumprod
    np.testing.assert_allclose(out, accumulate(x, 1, np.complex128), rtol=1e-5)
