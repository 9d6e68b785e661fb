"""Convolutions with a kernel for each channel, on images with their channels last: equal to the reference."""

from __future__ import annotations

import numpy as np
import pytest

# shape, kernel, stride, padding, dilation
CASES = [((2, 3, 9), (3,), (1,), (1,), (1,)), ((1, 83, 7, 8), (3, 2), (2, 1), (1, 0), (1, 2)),
         ((2, 16, 4, 5, 6), (2, 3, 3), (1, 2, 1), (1, 1, 2), (1, 1, 1)),
         ((3, 130, 6, 6), (5, 5), (1, 1), (2, 2), (1, 1)),
         ((1, 35, 4, 23), (3, 3), (1, 1), (1, 1), (1, 1)), ((1, 18, 5, 21), (3, 5), (2, 1), (1, 2), (2, 1)),
         ((1, 17, 9, 31), (7, 7), (1, 1), (3, 3), (1, 1)), ((2, 70, 5, 4), (2, 2), (1, 1), (3, 2), (1, 1))]
REAL = [np.dtype(np.float32), np.dtype(np.float64)]


@pytest.mark.parametrize("dtype", REAL, ids=str)
@pytest.mark.parametrize("shape, kernel, stride, padding, dilation", CASES)
def test_compiled_equals_reference(agree, drawn, shape, kernel, stride, padding, dilation, dtype):
    sizes = [(n + 2 * p - d * (k - 1) - 1) // s + 1
             for n, p, d, k, s in zip(shape[2:], padding, dilation, kernel, stride)]
    x, out = (np.moveaxis(drawn((shape[0], *size, shape[1]), dtype), -1, 1) for size in (shape[2:], sizes))
    weight = drawn((shape[1], 1, *kernel), dtype)
    steps = stride, padding, dilation
    agree("convolution", out, x, weight, *steps, of_largest=1e-5)
    agree("convolution_input_grad", x, out, weight, *steps, of_largest=1e-5)
    agree("convolution_weight_grad", weight, out, x, *steps, of_largest=1e-5)


def test_images_in_order_are_refused(kernels):
    x, weight = np.zeros((1, 3, 4, 4)), np.zeros((3, 1, 1, 1))
    if kernels.__name__.endswith("reference.depthwise_last"):
        pytest.skip("the reference takes any order")
    with pytest.raises(ValueError, match="channels last"):
        kernels.convolution(np.zeros_like(x), x, weight, (1, 1), (0, 0), (1, 1))
