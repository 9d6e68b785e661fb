"""What a kernel sees as columns, and columns put back."""
from __future__ import annotations

from math import prod

import numpy as np
import pytest

# image, kernel, dilation, padding, stride
CASES = {
    "plain": ((2, 3, 5, 6), (3, 3), (1, 1), (0, 0), (1, 1)),
    "padded": ((2, 3, 5, 6), (3, 2), (1, 1), (2, 1), (1, 1)),
    "strided and dilated": ((2, 2, 12, 9), (3, 3), (3, 2), (2, 4), (2, 3)),
    "stride beyond the kernel": ((2, 1, 11, 9), (1, 2), (1, 1), (0, 1), (4, 3)),
    "line": ((2, 3, 17), (5,), (1,), (3,), (2,)),
    "volume": ((2, 2, 4, 5, 3), (2, 3, 1), (2, 1, 1), (1, 0, 2), (1, 2, 1)),
    "nothing": ((0, 3, 5, 6), (3, 3), (1, 1), (1, 1), (1, 1)),
}
LOOSE = {"float32": 2e-5, "float64": 1e-13, "bfloat16": 2**-6}


def test_equals_torch(replay, fact):
    replay(fact)


@pytest.mark.parametrize("name", CASES)
def test_compiled_equals_reference(agree, drawn, name, dtype):
    size, *asked = CASES[name]
    positions = [(n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, d, p, s in zip(size[2:], *asked)]
    columns = drawn((size[0], size[1] * prod(asked[0]), prod(positions)), dtype)
    agree("im2col", np.empty_like(columns), drawn(size, dtype), *asked)
    agree("col2im", np.empty(size, dtype), columns, *asked, of_largest=LOOSE[dtype.name])


def test_a_column_is_what_the_kernel_sees(kernels):
    image, columns = np.arange(9.0).reshape(1, 1, 3, 3), np.empty((1, 4, 4))
    kernels.im2col(columns, image, (2, 2), (1, 1), (0, 0), (1, 1))
    np.testing.assert_array_equal(columns[0, :, 1], [1, 2, 4, 5])
    kernels.col2im(image, columns, (2, 2), (1, 1), (0, 0), (1, 1))
    np.testing.assert_array_equal(image[0, 0], [[0, 2, 2], [6, 16, 10], [6, 14, 8]])
