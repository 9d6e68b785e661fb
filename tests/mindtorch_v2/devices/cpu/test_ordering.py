"""Places in order: the compiled kernel equals its reference, ties, NaN and signed zeros included."""
from __future__ import annotations

import numpy as np
import pytest

KINDS = [np.float32, np.float64, np.int32, np.int64, np.int16]


def rows_of(kind, n: int, drawn) -> np.ndarray:
    """Rows with many equal elements."""
    x = np.round(drawn((5, n)) * 3)
    if np.dtype(kind).kind == "f" and n > 3:
        x[0, :3] = np.nan, -0.0, 0.0
        x[1, :2] = np.inf, -np.inf
        x[2, 0] = -np.nan
    return np.nan_to_num(x).astype(kind) if np.dtype(kind).kind != "f" else x.astype(kind)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("n", [0, 1, 7, 48, 49, 300, 5000])
@pytest.mark.parametrize("kind", KINDS)
def test_order_equals_reference(agree, drawn, kind, n, descending):
    x = rows_of(kind, n, drawn)
    agree("first_places", np.zeros((5, n), np.int64), x, 5, n, n, descending)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize(("n", "k"), [(7, 3), (300, 1), (300, 60), (300, 100), (5000, 70), (5000, 0)])
@pytest.mark.parametrize("kind", KINDS)
def test_first_few_equal_reference(agree, drawn, kind, n, k, descending):
    agree("first_places", np.zeros((5, k), np.int64), rows_of(kind, n, drawn), 5, n, k, descending)


def test_numbers_that_differ_in_high_digits_alone_are_ordered(kernels):
    x = (np.arange(200, dtype=np.int64)[::-1] << 50) - (1 << 40)
    order = np.empty(200, np.int64)
    kernels.first_places(order, x, 1, 200, 200, False)
    np.testing.assert_array_equal(order, np.arange(200)[::-1])
