"""Convolutions in one to three dimensions, their gradients, in loops and by BLAS."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

# sums of many products are taken in another order
LOOSE = {"float32": 2e-5, "float64": 1e-13, "bfloat16": 2**-6}


class Case(NamedTuple):
    size: tuple
    weight: tuple
    stride: tuple
    padding: tuple
    dilation: tuple
    groups: int = 1

    def output(self) -> tuple:
        steps = zip(self.size[2:], self.weight[2:], self.stride, self.padding, self.dilation)
        return self.size[0], self.weight[0], *((n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in steps)


SMALL = {
    "plain": Case((2, 3, 5, 6), (4, 3, 3, 3), (1, 1), (0, 0), (1, 1)),
    "padded": Case((2, 3, 5, 6), (7, 3, 3, 2), (1, 1), (2, 1), (1, 1)),
    "strided": Case((3, 2, 9, 11), (5, 2, 3, 4), (2, 3), (1, 2), (1, 1)),
    "dilated": Case((1, 2, 9, 8), (2, 2, 3, 2), (1, 1), (3, 1), (3, 2)),
    "strided and dilated": Case((2, 2, 12, 9), (3, 2, 3, 3), (2, 3), (2, 4), (3, 2)),
    "stride beyond the kernel": Case((2, 1, 11, 9), (2, 1, 1, 2), (4, 3), (0, 1), (1, 1)),
    "depthwise": Case((2, 4, 6, 5), (4, 1, 3, 3), (1, 1), (1, 1), (1, 1), 4),
    "two for each channel": Case((2, 3, 6, 5), (6, 1, 3, 2), (2, 1), (1, 0), (1, 1), 3),
    "grouped": Case((1, 6, 5, 4), (4, 3, 2, 2), (1, 2), (1, 1), (1, 1), 2),
    "line": Case((2, 3, 17), (4, 3, 5), (2,), (3,), (1,)),
    "volume": Case((2, 2, 4, 5, 3), (3, 2, 2, 3, 1), (1, 2, 1), (1, 0, 2), (2, 1, 1)),
    "point": Case((1, 1, 1, 1), (1, 1, 1, 1), (1, 1), (0, 0), (1, 1)),
    "kernel as large as the input": Case((3, 5, 4, 3), (7, 5, 4, 3), (2, 1), (0, 0), (1, 1)),
    "padding beyond the kernel": Case((1, 2, 2, 3), (2, 2, 2, 2), (1, 1), (4, 5), (1, 1)),
    "nothing": Case((0, 3, 5, 6), (4, 3, 3, 3), (1, 1), (1, 1), (1, 1)),
}
# so much work that columns and BLAS take it, with blocks of several items and several blocks for an item
LARGE = {
    "several items a panel": Case((7, 40, 9, 9), (48, 40, 3, 3), (1, 1), (0, 0), (1, 1)),
    "several panels an item": Case((2, 32, 40, 41), (40, 32, 5, 4), (2, 1), (1, 2), (1, 1)),
    "bands": Case((2, 24, 130, 128), (20, 24, 3, 3), (1, 1), (1, 1), (1, 1)),
    "bands of a line": Case((2, 40, 9000), (24, 40, 3), (1,), (1,), (1,)),
    "pointwise": Case((3, 64, 20, 20), (100, 64, 1, 1), (1, 1), (0, 0), (1, 1)),
    "pointwise strided": Case((3, 64, 21, 20), (100, 64, 1, 1), (2, 2), (0, 0), (1, 1)),
    "grouped": Case((2, 40, 30, 30), (60, 20, 3, 3), (1, 1), (1, 1), (1, 1), 2),
    "depthwise bands": Case((1, 3, 300, 310), (3, 1, 3, 3), (2, 1), (1, 1), (1, 2), 3),
    "volume": Case((2, 12, 12, 14, 16), (20, 12, 3, 3, 3), (1, 1, 1), (1, 1, 1), (1, 1, 1)),
}


def test_equals_torch(replay, fact):
    replay(fact, of_largest=LOOSE[fact["args"][0]["dtype"]])


def check(agree, drawn, case: Case, dtype, **options) -> None:
    x, w, b, g = (drawn(shape, dtype) for shape in (case.size, case.weight, case.weight[:1], case.output()))
    steps = case.stride, case.padding, case.dilation, case.groups
    for bias in (b, None):
        agree("convolution", np.empty_like(g), x, w, bias, *steps, **options)
    for bias in (drawn(case.size[1:2], dtype), None):
        agree("convolution_input_grad", np.full_like(x, 7), g, w, *steps, bias, **options)
    agree("convolution_weight_grad", np.full_like(w, 7), g, x, *steps, **options)


@pytest.mark.parametrize("name", SMALL)
def test_compiled_equals_reference(agree, drawn, name, dtype):
    check(agree, drawn, SMALL[name], dtype, of_largest=LOOSE[dtype.name])


@pytest.mark.parametrize("name", LARGE)
def test_much_work_equals_reference(agree, drawn, name):
    check(agree, drawn, LARGE[name], np.float32, of_largest=LOOSE["float32"])


@pytest.mark.parametrize("dtype", ["int64", "complex64", "uint8"])
def test_other_numbers_are_convolved_too(kernels, dtype):
    x, w = np.arange(9).reshape(1, 1, 3, 3).astype(dtype), np.ones((1, 1, 2, 2), dtype)
    out = np.empty((1, 1, 2, 2), dtype)
    kernels.convolution(out, x, w, None, (1, 1), (0, 0), (1, 1), 1)
    np.testing.assert_array_equal(out, [[[[8, 12], [20, 24]]]])


@pytest.mark.parametrize("name", ["strided", "grouped"])
def test_channels_may_lie_last(agree, drawn, name):
    case = SMALL[name]

    def channels_last(shape):
        return np.moveaxis(drawn((shape[0], *shape[2:], shape[1])), -1, 1)

    x, w, g = channels_last(case.size), channels_last(case.weight), channels_last(case.output())
    steps = case.stride, case.padding, case.dilation, case.groups
    agree("convolution", channels_last(g.shape), x, w, None, *steps, of_largest=LOOSE["float32"])
    agree("convolution_input_grad", channels_last(x.shape), g, w, *steps, of_largest=LOOSE["float32"])
    agree("convolution_weight_grad", channels_last(w.shape), g, x, *steps, of_largest=LOOSE["float32"])


def test_a_gradient_may_lack_the_last_positions(agree, drawn):
    """A transposed convolution has room for more than it is given, where its result is padded."""
    g, w, x = drawn((2, 3, 4, 4)), drawn((3, 2, 3, 3)), np.full((2, 2, 12, 11), 7, np.float32)
    steps = (2, 2), (1, 1), (2, 2), 1
    agree("convolution_input_grad", x, g, w, *steps, of_largest=LOOSE["float32"])
    agree("convolution_weight_grad", np.empty_like(w), g, drawn(x.shape), *steps, of_largest=LOOSE["float32"])


@pytest.mark.parametrize("large", [False, True])
def test_what_is_not_finite_stays_where_it_is_seen(agree, drawn, large):
    case = Case((2, 40, 24, 24), (24, 40, 3, 3), (1, 1), (1, 1), (1, 1)) if large else SMALL["padded"]
    x, w, g = drawn(case.size), drawn(case.weight), drawn(case.output())
    x[0, 0, 2, 3], g[0, 0, 1, 0] = np.inf, np.nan
    steps = case.stride, case.padding, case.dilation, case.groups
    agree("convolution", np.empty_like(g), x, w, None, *steps, of_largest=LOOSE["float32"])
    agree("convolution_input_grad", np.empty_like(x), g, w, *steps, of_largest=LOOSE["float32"])
    g[0, 0, 1, 0] = 0.5
    agree("convolution_weight_grad", np.empty_like(w), g, x, *steps, of_largest=LOOSE["float32"])


def test_sizes_that_do_not_fit_are_refused(kernels, drawn):
    x, w = drawn((2, 3, 5, 6)), drawn((4, 3, 3, 3))
    steps = (1, 1), (0, 0), (1, 1), 1
    for out in (np.empty((2, 4, 3, 5), np.float32), np.empty((1, 4, 3, 4), np.float32),
                np.empty((2, 5, 3, 4), np.float32)):
        with pytest.raises(ValueError):
            kernels.convolution(out, x, w, None, *steps)
    with pytest.raises(ValueError):
        kernels.convolution_input_grad(x[:, :, :4], np.empty((2, 4, 3, 4), np.float32), w, *steps)
