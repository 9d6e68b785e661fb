"""Largest elements and means of windows, forward and back."""
from __future__ import annotations

import numpy as np
import pytest

from mindtorch_v2.devices.cpu import pooling

# shape (planes first), kernel, stride, padding, dilation, outputs
WINDOWS = [((2, 3, 9), (3,), (2,), (1,), (1,), (5,)), ((2, 7, 8), (3, 2), (2, 1), (1, 0), (1, 2), (4, 6)),
           ((2, 3, 20, 40), (3, 3), (2, 2), (1, 1), (1, 1), (10, 20)), ((2, 4, 5, 6), (2, 2, 2), (1, 2, 3), (1, 0, 1),
                                                                       (1, 1, 1), (5, 2, 3)),
           ((0, 5, 5), (2, 2), (2, 2), (0, 0), (1, 1), (2, 2)), ((1, 3, 3), (2, 2), (1, 1), (0, 0), (1, 1), (0, 2)),
           ((2, 3, 4), (2, 2), (3, 3), (1, 1), (1, 1), (5, 5)), ((3, 8, 8), (8, 8), (8, 8), (0, 0), (1, 1), (1, 1)),
           ((2, 6, 9), (5, 7), (3, 3), (2, 3), (1, 1), (2, 3))]


def test_equals_torch(replay, fact):
    replay(fact)


@pytest.mark.parametrize("shape, kernel, stride, padding, dilation, outputs", WINDOWS)
def test_compiled_max_pool_equals_reference(agree, kernels, drawn, shape, kernel, stride, padding, dilation, outputs,
                                            dtype):
    rank, x = len(kernel), drawn(shape, dtype)
    x.reshape(-1)[::13] = np.nan
    out = np.empty((*shape[:-rank], *outputs), dtype)
    at = np.empty(out.shape, np.int64)
    agree("max_pool", out, at, x, kernel, stride, padding, dilation)
    kernels.max_pool(out, at, x, kernel, stride, padding, dilation)
    agree("max_pool_backward", np.zeros_like(x), drawn(out.shape, dtype), at, rank)


@pytest.mark.parametrize("shape, kernel, stride, padding, dilation, outputs", WINDOWS)
@pytest.mark.parametrize("padding_counts, divisor", [(True, 0), (False, 0), (True, 7)])
def test_compiled_avg_pool_equals_reference(agree, drawn, shape, kernel, stride, padding, dilation, outputs,
                                            padding_counts, divisor, dtype):
    out = drawn((*shape[:-len(kernel)], *outputs), dtype)
    rest = kernel, stride, padding, padding_counts, divisor
    agree("avg_pool", np.empty_like(out), drawn(shape, dtype), *rest, of_largest=2e-6 if dtype.itemsize == 4 else None)
    agree("avg_pool_backward", np.zeros(shape, dtype), out, *rest)


@pytest.mark.parametrize("shape, outputs", [((3, 7), (3,)), ((2, 5, 6), (5, 4)), ((2, 4, 5, 6), (2, 7, 3)),
                                            ((2, 7, 7), (1, 1)), ((2, 14, 14), (7, 7)), ((0, 3), (2,))])
def test_compiled_adaptive_pooling_equals_reference(agree, drawn, shape, outputs, dtype):
    rank, x = len(outputs), drawn(shape, dtype)
    out = drawn((*shape[:-rank], *outputs), dtype)
    agree("adaptive_max_pool", np.empty_like(out), np.empty(out.shape, np.int64), x, rank)
    agree("adaptive_avg_pool", np.empty_like(out), x, rank, of_largest=2e-6 if dtype.itemsize == 4 else None)
    agree("adaptive_avg_pool_backward", np.zeros_like(x), out, rank)


IMAGES = [((2, 5, 7, 8), (3, 2), (2, 1), (1, 0), (1, 2), (4, 6)), ((1, 33, 4, 5, 6), (2, 2, 2), (1, 2, 3), (1, 0, 1),
                                                                 (1, 1, 1), (5, 2, 3)),
          ((3, 2, 3, 4), (2, 2), (3, 3), (1, 1), (1, 1), (5, 5)),
          ((0, 3, 5, 5), (2, 2), (2, 2), (0, 0), (1, 1), (2, 2))]


def with_channels_last(array):
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(array, 1, -1)), -1, 1)


@pytest.mark.parametrize("shape, kernel, stride, padding, dilation, outputs", IMAGES)
def test_images_with_channels_last_are_pooled_as_others(drawn, shape, kernel, stride, padding, dilation, outputs,
                                                        dtype):
    if not pooling.TAKES_LAST:
        pytest.skip("uncompiled kernels take arrays in C order")
    rank, size = len(kernel), (*shape[:2], *outputs)
    x, out, at = drawn(shape, dtype), drawn(size, dtype), np.zeros(size, np.int64)
    x.reshape(-1)[::13] = np.nan
    mean = kernel, stride, padding, True, 0

    def agree(name, *args):
        turned = [with_channels_last(a) if isinstance(a, np.ndarray) else a for a in args]
        getattr(pooling, name)(*args), getattr(pooling, name)(*turned)
        for given, computed in zip(args, turned):
            np.testing.assert_allclose(given, computed, rtol=1e-5, atol=1e-5)

    agree("max_pool", out.copy(), at, x, kernel, stride, padding, dilation)
    agree("max_pool_backward", np.zeros_like(x), out, at, rank)
    agree("avg_pool", out.copy(), x, *mean)
    agree("avg_pool_backward", np.zeros_like(x), out, *mean)
    agree("adaptive_max_pool", out.copy(), at, x, rank)
    agree("adaptive_avg_pool", out.copy(), x, rank)
    agree("adaptive_avg_pool_backward", np.zeros_like(x), out, rank)


@pytest.mark.parametrize("shape, kernel, outputs", [((3, 9), (2,), (4,)), ((2, 6, 9), (2, 3), (3, 5)),
                                                    ((2, 4, 6, 7), (2, 1, 2), (3, 4, 1))])
def test_compiled_fractional_max_pool_equals_reference(agree, drawn, shape, kernel, outputs, dtype):
    samples = np.random.default_rng(3).random((shape[0], len(kernel))).astype(np.float32).astype(dtype)
    out = np.empty((shape[0], *outputs), dtype)
    agree("fractional_max_pool", out, np.empty(out.shape, np.int64), drawn(shape, dtype), np.minimum(samples, 0.9),
          kernel)


def test_the_last_nan_of_a_window_wins(kernels):
    x, out, at = np.array([[1, np.nan, 3, np.nan, 5]], np.float32), np.empty((1, 1), np.float32), np.empty((1, 1), int)
    kernels.max_pool(out, at, x, (5,), (1,), (0,), (1,))
    assert np.isnan(out[0, 0]) and at[0, 0] == 3


def test_shares_have_the_first_of_equal_elements_and_the_last_nan(agree):
    x = np.random.default_rng(1).integers(0, 3, (3, 2, 9, 11)).astype(np.float32)
    x[1, 0, [2, 5, 5], [7, 1, 2]] = np.nan
    x[2] = -np.inf
    for sizes in ((2, 3), (9, 2), (1, 1), (4, 11)):
        out = np.empty((3, 2, *sizes), np.float32)
        agree("adaptive_max_pool", out, np.empty(out.shape, np.int64), x, 2)
    out = np.empty((3, 2, 9, 2), np.float32)
    agree("adaptive_max_pool", out, np.empty(out.shape, np.int64), x, 1)


def test_largest_elements_are_the_same_where_nobody_asks_for_positions(agree, drawn):
    x = drawn((2, 3, 40))
    x[0, 1, [3, 4]] = np.nan
    for kernel, stride, outputs in ((2, 2, 20), (3, 1, 38), (5, 3, 12)):
        agree("max_pool", np.empty((2, 3, outputs), np.float32), None, x, (kernel,), (stride,), (0,), (1,))


def test_the_first_of_equal_elements_wins(kernels):
    x, out, at = np.full((1, 2, 2), -np.inf, np.float32), np.empty((1, 1, 1), np.float32), np.empty((1, 1, 1), int)
    kernels.max_pool(out, at, x, (2, 2), (1, 1), (0, 0), (1, 1))
    assert out[0, 0, 0] == -np.inf and at[0, 0, 0] == 0


def test_gradients_of_positions_outside_the_plane_are_passed_over(kernels):
    to, g = np.zeros((1, 4), np.float32), np.ones((1, 3), np.float32)
    kernels.max_pool_backward(to, g, np.array([[-1, 2, 4]]), 1)
    np.testing.assert_array_equal(to, [[0, 0, 1, 0]])


def test_max_unpool_tells_the_last_index_outside_the_plane(kernels):
    x, out = np.ones((1, 3), np.float32), np.zeros((1, 4), np.float32)
    assert kernels.max_unpool(out, x, np.array([[0, 9, -2]]), 1) == -2
    assert kernels.max_unpool(out, x, np.array([[0, 3, 1]]), 1) is None
    np.testing.assert_array_equal(out, [[1, 1, 0, 1]])


def test_samples_outside_the_unit_interval_are_refused(kernels):
    x, out = np.ones((1, 4), np.float32), np.empty((1, 2), np.float32)
    with pytest.raises(ValueError, match="samples from 0 to 1"):
        kernels.fractional_max_pool(out, np.empty((1, 2), int), x, np.array([[1e30]], np.float32), (2,))
