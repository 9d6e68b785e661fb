"""Convolutions over the channels of positions: equal to the reference whichever way images lie in memory."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

# shape, outputs, kernel, stride, padding, dilation, groups
CASES = [((2, 16, 9), 16, (3,), (1,), (1,), (1,), 1), ((1, 17, 7, 8), 33, (3, 2), (1, 1), (1, 0), (1, 1), 1),
         ((3, 32, 5, 6), 32, (3, 3), (2, 1), (1, 2), (1, 2), 2),
         ((1, 20, 4, 5, 6), 18, (2, 3, 3), (1, 1, 1), (1, 1, 2), (1, 1, 1), 1),
         ((2, 16, 40, 41), 48, (5, 3), (3, 2), (2, 0), (1, 1), 1),
         ((1, 16, 9, 7), 16, (2, 4), (3, 2), (0, 1), (1, 1), 1),
         ((2, 4, 6, 6), 5, (1, 1), (1, 1), (0, 0), (1, 1), 1),
         ((2, 6, 9, 8), 44, (3, 3), (1, 1), (1, 1), (1, 1), 2)]
TYPES = [np.dtype(np.float32), np.dtype(np.float64), np.dtype(ml_dtypes.bfloat16)]


def laid(array, is_last):
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(array, 1, -1)), -1, 1) if is_last else array


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("x_last, out_last", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("shape, outs, kernel, stride, padding, dilation, groups", CASES)
def test_compiled_equals_reference(agree, drawn, shape, outs, kernel, stride, padding, dilation, groups, x_last,
                                   out_last, dtype):
    weight = drawn((outs, shape[1] // groups, *kernel), dtype)
    sizes = [(n + 2 * p - d * (k - 1) - 1) // s + 1
             for n, p, d, k, s in zip(shape[2:], padding, dilation, kernel, stride)]
    x, out = laid(drawn(shape, dtype), x_last), laid(drawn((shape[0], outs, *sizes), dtype), out_last)
    steps, rounding = (stride, padding, dilation, groups), 1e-5 if dtype.itemsize > 2 else 2**-9
    agree("convolution", out.copy(order="K"), x, weight, *steps, of_largest=rounding)
    agree("convolution_input_grad", x.copy(order="K"), out, weight, *steps, of_largest=rounding)
