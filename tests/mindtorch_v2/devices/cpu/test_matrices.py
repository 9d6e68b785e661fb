"""Products of matrices by tiles: equal to NumPy's but for rounding, for any sizes, steps and batches."""

from __future__ import annotations

import numpy as np
import pytest

SIZES = [(1, 1, 1), (2, 2, 1), (3, 5, 2), (7, 33, 13), (12, 32, 64), (13, 31, 65), (25, 17, 385), (64, 64, 64),
         (241, 130, 20), (5, 300, 800)]


def operand(drawn, shape, layout, dtype):
    """An array of a shape whose elements lie in memory in one of several ways."""
    *batch, rows, columns = shape
    if layout == "turned":
        return drawn((*batch, columns, rows), dtype).swapaxes(-1, -2)
    if layout == "in steps":
        return drawn((*batch, rows, 2 * columns), dtype)[..., ::2]
    if layout == "backwards":
        return drawn(shape, dtype)[..., ::-1, ::-1]
    return drawn(shape, dtype)


LAYOUTS = ["in order", "turned", "in steps", "backwards"]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("m, n, k", SIZES)
def test_sizes(agree, drawn, m, n, k, dtype):
    agree("multiply", np.zeros((m, n), dtype), drawn((m, k), dtype), drawn((k, n), dtype), of_largest=1e-5)
    agree("multiply", drawn((m, n), dtype), drawn((m, k), dtype), drawn((k, n), dtype), True, of_largest=1e-5)


@pytest.mark.parametrize("of_out", ["in order", "turned"])
@pytest.mark.parametrize("of_b", LAYOUTS)
@pytest.mark.parametrize("of_a", LAYOUTS)
def test_layouts(agree, drawn, of_a, of_b, of_out):
    a, b = operand(drawn, (27, 19), of_a, np.float32), operand(drawn, (19, 45), of_b, np.float32)
    agree("multiply", operand(drawn, (27, 45), of_out, np.float32), a, b, of_largest=1e-5)


@pytest.mark.parametrize("adds", [False, True])
@pytest.mark.parametrize("of_b", LAYOUTS)
@pytest.mark.parametrize("of_a", LAYOUTS)
@pytest.mark.parametrize("m, n", [(1, 45), (27, 1), (1, 1)])
def test_single_rows_and_columns(agree, drawn, m, n, of_a, of_b, adds):
    a, b = operand(drawn, (m, 19), of_a, np.float32), operand(drawn, (19, n), of_b, np.float32)
    agree("multiply", drawn((m, n)), a, b, adds, of_largest=1e-5)


@pytest.mark.parametrize("of_a, of_b", [((3,), (3,)), ((1,), (4,)), ((2, 1), (1, 3)), ((2, 3), (2, 3)), ((0,), (0,))])
def test_batches_broadcast(agree, drawn, of_a, of_b):
    batch = np.broadcast_shapes(of_a, of_b)
    agree("multiply", np.zeros((*batch, 6, 9), np.float32), drawn((*of_a, 6, 7)), drawn((*of_b, 7, 9)), of_largest=1e-5)


@pytest.mark.parametrize("m, n, k", [(0, 3, 2), (3, 0, 2), (3, 4, 0)])
def test_nothing_to_multiply(agree, drawn, m, n, k):
    agree("multiply", drawn((m, n)), drawn((m, k)), drawn((k, n)))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_reaches_its_row_and_column_alone(kernels, value):
    a, b, out = np.ones((14, 5), np.float32), np.ones((5, 40), np.float32), np.empty((14, 40), np.float32)
    a[3, 2], b[1, 33] = value, value
    kernels.multiply(out, a, b)
    expected = np.full_like(out, 5)
    expected[3] = expected[:, 33] = value
    np.testing.assert_array_equal(out, expected)


def test_other_numbers_are_left_to_numpy(kernels):
    a = np.arange(6).reshape(2, 3)
    out = np.empty((2, 2), a.dtype)
    kernels.multiply(out, a, a.T)
    np.testing.assert_array_equal(out, a @ a.T)


def test_the_result_may_lie_in_an_operand(kernels, drawn):
    a = drawn((8, 8))
    expected = a @ a
    kernels.multiply(a, a, a)
    np.testing.assert_allclose(a, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("shape", [(1, 1), (5, 33), (3, 7, 16), (0, 4), (4, 0)])
def test_complex_numbers_become_two_rows_of_real_ones(kernels, drawn, dtype, shape):
    a = np.zeros(shape, dtype)
    a.real, a.imag = drawn(shape), drawn(shape)
    out = np.empty((*shape[:-2], 2 * shape[-2], 2 * shape[-1]), a.real.dtype)
    kernels.spread_complex(out, a)
    rows = out.reshape(*shape[:-1], 2, shape[-1], 2)
    np.testing.assert_array_equal(rows[..., 0, :, :], np.stack([a.real, a.imag], -1))
    np.testing.assert_array_equal(rows[..., 1, :, :], np.stack([-a.imag, a.real], -1))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_many_tiny_products_of_any_strides(agree, n):
    rng = np.random.default_rng(3)
    a, b = rng.standard_normal((50, n, n)), rng.standard_normal((1, n, n))
    for adds in (False, True):
        agree("multiply", np.ones((50, n, n)), a, b, adds)
        agree("multiply", np.ones((50, n, n)), a.swapaxes(1, 2), np.flip(b, 1), adds)
