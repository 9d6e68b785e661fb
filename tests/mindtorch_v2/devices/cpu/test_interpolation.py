"""Resampling, forward and back."""
from __future__ import annotations

import numpy as np
import pytest

LOOSE = {"float32": 2e-5, "float64": 1e-13, "bfloat16": 2**-6}
SHAPES = [((2, 5), (9,)), ((2, 5, 6), (10, 12)), ((2, 5, 6), (3, 2)), ((1, 9, 40), (9, 7)), ((2, 3, 4, 5), (5, 4, 9)),
          ((0, 3), (5,)), ((1, 1, 1), (4, 3))]
SCALES = [0.0, 0.6, 1.7, 1e-30, 1e30]


def test_equals_torch(replay, fact):
    replay(fact)


@pytest.mark.parametrize("shape, outputs", SHAPES)
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", ["upsample_nearest", "upsample_nearest_exact"])
def test_compiled_neighbours_equal_reference(agree, drawn, name, shape, outputs, scale, dtype):
    x, rank, loose = drawn(shape, dtype), len(outputs), LOOSE[dtype.name]
    g = drawn((*shape[:-rank], *outputs), dtype)
    agree(name, np.empty_like(g), x, (scale,) * rank)
    agree(f"{name}_backward", np.empty_like(x), g, (scale,) * rank, of_largest=loose)


@pytest.mark.parametrize("shape, outputs", SHAPES)
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("align_corners", [False, True])
@pytest.mark.parametrize("name", ["upsample_linear", "upsample_cubic", "upsample_linear_smooth",
                                  "upsample_cubic_smooth", "upsample_lanczos_smooth"])
def test_compiled_mixes_equal_reference(agree, drawn, name, shape, outputs, align_corners, scale, dtype):
    x, rank, loose = drawn(shape, dtype), len(outputs), LOOSE[dtype.name]
    g = drawn((*shape[:-rank], *outputs), dtype)
    agree(name, np.empty_like(g), x, align_corners, (scale,) * rank, of_largest=loose)
    agree(f"{name}_backward", np.empty_like(x), g, align_corners, (scale,) * rank, of_largest=loose)


def test_smoothing_to_a_single_column_keeps_the_rows_apart(kernels):
    # torch writes the first row into all of them
    x, out = np.arange(8, dtype=np.float32).reshape(1, 4, 2), np.empty((1, 2, 1), np.float32)
    kernels.upsample_linear_smooth(out, x, False, (0.0, 0.0))
    assert out[0, 0, 0] < 3 < 4 < out[0, 1, 0]


def test_a_size_that_stays_is_copied(kernels):
    x, out = np.array([[1, 2, 3]], np.float32), np.empty((1, 3), np.float32)
    kernels.upsample_linear_smooth(out, x, False, (0.0,))
    np.testing.assert_array_equal(out, x)


def test_whole_numbers_have_neighbours(kernels):
    x, out = np.array([[1, 2]], np.uint8), np.empty((1, 4), np.uint8)
    kernels.upsample_nearest(out, x, (0.0,))
    np.testing.assert_array_equal(out, [[1, 1, 2, 2]])


def test_nothing_cannot_become_something(kernels):
    with pytest.raises(ValueError, match="do not fit"):
        kernels.upsample_linear(np.empty((1, 3), np.float32), np.empty((1, 0), np.float32), False, (0.0,))


@pytest.mark.parametrize("name", ["upsample_linear", "upsample_cubic_smooth"])
def test_channels_that_lie_last_are_left_alone(kernels, name):
    x = np.random.default_rng(1).normal(size=(2, 5, 6, 3)).astype(np.float32)
    out, planes = np.empty((2, 4, 9, 3), np.float32), np.empty((2, 3, 4, 9), np.float32)
    getattr(kernels, name)(out, x, False, (0.0, 0.0, -1.0))
    getattr(kernels, name)(planes, np.ascontiguousarray(x.transpose(0, 3, 1, 2)), False, (0.0, 0.0))
    np.testing.assert_allclose(out.transpose(0, 3, 1, 2), planes, rtol=1e-5, atol=1e-6)


def test_a_dimension_that_is_left_alone_keeps_its_size(kernels):
    with pytest.raises(ValueError, match="left alone"):
        kernels.upsample_linear(np.empty((1, 3, 4), np.float32), np.empty((1, 2, 3), np.float32), False, (0.0, -1.0))


@pytest.mark.parametrize("shape, sizes", [((2, 3, 7, 6), (9, 4)), ((1, 1, 5, 90), (5, 33)), ((70, 2, 3, 20), (8, 41)),
                                          ((1, 2, 40, 40), (3, 3)), ((0, 1, 4, 4), (2, 2)), ((1, 1, 3, 1), (2, 2)),
                                          ((2, 1, 4, 4), (4, 4))])
@pytest.mark.parametrize("lies_last", [False, True])
@pytest.mark.parametrize("kernel", ["upsample_linear", "upsample_cubic", "upsample_linear_smooth",
                                    "upsample_cubic_smooth", "upsample_lanczos_smooth"])
def test_compiled_mixes_of_bytes_equal_reference(agree, kernel, shape, sizes, lies_last):
    x = np.random.default_rng(1).integers(0, 256, shape).astype(np.uint8)
    out, scales = np.empty((*shape[:2], *sizes), np.uint8), (0.0, 0.0)
    if lies_last:
        x, out = [np.ascontiguousarray(a.transpose(0, 2, 3, 1)) for a in (x, out)]
        scales = (*scales, -1.0)
    agree("upsample_bytes", out, x, kernel, False, scales)
    agree("upsample_bytes", out, x, kernel, True, scales)
    for scale in (0.6, 1e-30, 1e30):
        agree("upsample_bytes", out, x, kernel, False, (scale, scale, *scales[2:]))


@pytest.mark.parametrize("kind", ["u1", "i2", "i4", "i8", "?"])
@pytest.mark.parametrize("channels", [1, 3, 4, 5])
def test_compiled_neighbours_of_any_type_equal_reference(agree, kind, channels):
    x = np.random.default_rng(1).integers(0, 100, (2, 4, 5, channels)).astype(kind)
    agree("upsample_nearest", np.empty((2, 7, 9, channels), kind), x, (0.0, 0.0, -1.0))
    agree("upsample_nearest_exact", np.empty((2, 4, 2, channels), kind), x, (0.0, 0.7))
    agree("upsample_nearest", np.empty((2, 3, 8, 2 * channels), kind), x, (0.0, 0.0, 0.0))
