"""Numbers in a row: the compiled kernels equal their reference bit by bit, in every type."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from .conftest import load

FLOATS = [np.float16, ml_dtypes.bfloat16, np.float32, np.float64]


def both(name, dtype, size, *args):
    made = []
    for build in ("compiled", "reference"):
        out = np.zeros(size, dtype)
        getattr(load(build, "ranges"), name)(out, *args)
        made.append(out.tobytes())
    return made


@pytest.mark.parametrize("size", [0, 1, 15, 16, 33, 1000])
@pytest.mark.parametrize("dtype", FLOATS)
def test_floats_equal_reference(dtype, size):
    for start, step in ((0, 0.3), (-7.3, 0.7), (5, -1), (1e-6, 1e-7)):
        ours, theirs = both("arange", dtype, size, start, step)
        assert ours == theirs
        ours, theirs = both("linspace", dtype, size, start, start + 50 * step)
        assert ours == theirs or size < 2


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int16, np.int32, np.int64])
def test_whole_numbers_wrap_around(dtype):
    for start, step in ((0, 1), (3, 7), (100, -3)):
        ours, theirs = both("arange", dtype, 500, start, step)
        assert ours == theirs


@pytest.mark.parametrize("lower", [False, True])
def test_positions_of_a_triangle_equal_reference(lower):
    for rows, columns, offset in ((5, 7, 0), (7, 5, -2), (4, 4, 9), (4, 4, -9), (3, 9, 2)):
        count = np.asarray((np.tril_indices if lower else np.triu_indices)(rows, offset, columns)).shape[1]
        ours, theirs = both("triangle_positions", np.int64, (2, count), rows, columns, offset, lower)
        assert ours == theirs


@pytest.mark.parametrize("size", [2, 3, 16, 1001])
@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int16, np.int32, np.int64])
def test_whole_numbers_between_two_ends_equal_reference(dtype, size):
    for start, end in ((0, 100), (100, 3), (7, 7), (0, min(np.iinfo(dtype).max, 2**50))):
        ours, theirs = both("linspace", dtype, size, start, end)
        assert ours == theirs
