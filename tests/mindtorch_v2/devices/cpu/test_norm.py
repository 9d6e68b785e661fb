"""Layer, RMS, batch and group norm, forward and back."""
from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

DTYPES = {"float16": np.dtype(np.float16), "bfloat16": np.dtype(ml_dtypes.bfloat16)}
# sums of a row are taken in another order, and gradients are differences of such sums
LOOSE = {"float32": 2e-5, "float64": 1e-13, "bfloat16": 2**-6}
ROWS = [(16, 32), (3, 5), (2, 100), (1, 1), (0, 4)]
CHANNELS = [(16, 32, 1), (4, 3, 5), (2, 4, 40), (3, 6, 1)]


def test_equals_torch(replay, fact):
    replay(fact)


@pytest.fixture(params=[True, False], ids=["affine", "plain"])
def affine(request, drawn, dtype):
    return lambda n: (drawn(n, dtype), drawn(n, dtype)) if request.param else (None, None)


@pytest.mark.parametrize("rows, cols", ROWS)
def test_compiled_layer_norm_equals_reference(agree, drawn, affine, rows, cols, dtype):
    (w, b), x, g, loose = affine(cols), drawn((rows, cols), dtype), drawn((rows, cols), dtype), LOOSE[dtype.name]
    mean, rstd = drawn(rows, dtype), np.abs(drawn(rows, dtype))
    agree("layer_norm", np.empty_like(x), mean, rstd, x, w, b, rows, cols, 1e-5, of_largest=loose)
    gw, gb = np.empty(cols, dtype), np.empty(cols, dtype)
    agree("layer_norm_backward", np.empty_like(x), gw, gb, g, x, mean, rstd, w, rows, cols, of_largest=loose)


@pytest.mark.parametrize("rows, cols", ROWS)
def test_compiled_rms_norm_equals_reference(agree, drawn, affine, rows, cols, dtype):
    (w, _), x, g, loose = affine(cols), drawn((rows, cols), dtype), drawn((rows, cols), dtype), LOOSE[dtype.name]
    rstd = np.abs(drawn(rows, dtype))
    agree("rms_norm", np.empty_like(x), rstd, x, w, rows, cols, 1e-5, of_largest=loose)
    gw = np.empty(cols, dtype)
    agree("rms_norm_backward", np.empty_like(x), gw, g, x, rstd, w, rows, cols, of_largest=loose)


@pytest.mark.parametrize("shape", CHANNELS)
@pytest.mark.parametrize("training", [True, False])
def test_compiled_batch_norm_equals_reference(agree, drawn, affine, shape, training, dtype):
    c, x, g, loose = shape[1], drawn(shape, dtype), drawn(shape, dtype), LOOSE[dtype.name]
    (w, b), (mean, spread) = affine(c), (drawn(c, dtype), np.abs(drawn(c, dtype)))
    saved = mean.copy(), spread.copy()
    agree("batch_norm", np.empty_like(x), *saved, x, w, b, mean, spread, training, 0.1, 1e-5, *shape, of_largest=loose)
    gw, gb = np.empty(c, dtype), np.empty(c, dtype)
    agree("batch_norm_backward", np.empty_like(x), gw, gb, g, x, w, mean, spread, mean, spread, training, 1e-5, *shape,
          of_largest=loose)


@pytest.mark.parametrize("shape", CHANNELS)
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_compiled_statistics_and_scales_of_channels_equal_reference(agree, drawn, shape, kind):
    c, x, (mean, spread) = shape[1], drawn(shape, np.dtype(kind)), drawn((2, shape[1]), np.dtype(kind))
    loose = LOOSE[np.dtype(kind).name]
    agree("batch_statistics", mean.copy(), spread.copy(), mean, spread, x, 0.1, 1e-5, *shape, of_largest=loose)
    agree("batch_statistics", mean.copy(), spread.copy(), None, None, x, 0.1, 1e-5, *shape, of_largest=loose)
    agree("scale_channels", np.empty_like(x), x, mean, spread, *shape, of_largest=loose)
    x[0, c - 1, 0] = np.inf
    agree("scale_channels", np.empty_like(x), x, mean, spread, *shape, of_largest=loose)


@pytest.mark.parametrize("shape", [(2, 3, 700), (3, 5, 1), (2, 600, 1)])
@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
def test_compiled_scales_of_halves_equal_reference(agree, drawn, shape, kind):
    scale, shift = drawn((2, shape[1]))
    x = drawn(shape).astype(DTYPES[kind])
    agree("scale_channels", np.empty_like(x), x, scale, shift, *shape)


@pytest.mark.parametrize("shape, groups", [((4, 6, 5), 3), ((2, 4, 40), 2), ((3, 4, 1), 1), ((1, 1, 1), 1),
                                           ((3, 80, 1), 2)])
def test_compiled_group_norm_equals_reference(agree, drawn, affine, shape, groups, dtype):
    n, c, x, g, loose = shape[0], shape[1], drawn(shape, dtype), drawn(shape, dtype), LOOSE[dtype.name]
    (w, b), (mean, rstd) = affine(c), (drawn((n, groups), dtype), np.abs(drawn((n, groups), dtype)))
    agree("group_norm", np.empty_like(x), mean, rstd, x, w, b, *shape, groups, 1e-5, of_largest=loose)
    gw, gb = np.empty(c, dtype), np.empty(c, dtype)
    agree("group_norm_backward", np.empty_like(x), gw, gb, g, x, mean, rstd, w, *shape, groups, of_largest=loose)


def test_only_the_gradients_asked_for_are_written(kernels):
    x, gb = np.ones((2, 3), np.float32), np.full(3, 9, np.float32)
    kernels.layer_norm_backward(None, None, gb, x, x, np.zeros(2, np.float32), np.ones(2, np.float32), None, 2, 3)
    np.testing.assert_array_equal(gb, [2, 2, 2])


def test_rows_of_no_columns_have_mean_zero_and_no_spread(kernels):
    x, mean, rstd = np.empty((2, 0), np.float32), np.ones(2, np.float32), np.ones(2, np.float32)
    kernels.layer_norm(x, mean, rstd, x, None, None, 2, 0, 1e-5)
    assert (mean == 0).all() and np.isnan(rstd).all()


def test_a_far_mean_does_not_swallow_the_spread(kernels):
    x = (np.arange(8, dtype=np.float32) + 4096).reshape(1, 8)
    out, mean, rstd = np.empty_like(x), np.empty(1, np.float32), np.empty(1, np.float32)
    kernels.layer_norm(out, mean, rstd, x, None, None, 1, 8, 0.0)
    np.testing.assert_allclose(rstd, 1 / np.sqrt(5.25), rtol=1e-6)


def test_batch_of_one_value_gives_no_unbiased_variance(kernels):
    x, mean, var = np.ones((1, 2, 1), np.float32), np.zeros(2, np.float32), np.ones(2, np.float32)
    kernels.batch_norm(np.empty_like(x), None, None, x, None, None, mean, var, True, 0.1, 1e-5, 1, 2, 1)
    assert np.isnan(var).all()


def test_evaluation_needs_running_statistics(kernels):
    x = np.ones((1, 2, 1), np.float32)
    with pytest.raises(ValueError, match="running_mean and running_var are wanted"):
        kernels.batch_norm(np.empty_like(x), None, None, x, None, None, None, None, False, 0.1, 1e-5, 1, 2, 1)
