"""Elementwise loops on arrays of any layout: transposed, in steps, reversed, broadcast, overlapping; in halves."""
from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from mindtorch_v2.devices.cpu import activation, casting, pointwise, pool, sums, unary, update

KINDS = [np.float32, np.float64, np.float16, ml_dtypes.bfloat16]
LARGE = 300  # lines and columns: more than one thread's share


def layouts(drawn, kind, rows: int = LARGE, columns: int = LARGE) -> dict[str, np.ndarray]:
    x = drawn((2 * rows, 2 * columns), np.float64).astype(kind)
    return {"plain": x[:rows, :columns].copy(), "transposed": x[:columns, :rows].copy().T, "steps": x[::2, ::2],
            "reversed": x[:rows, :columns][::-1, ::-1], "row": x[:1, :columns], "column": x[:rows, :1],
            "number": x[:1, 0].reshape(()), "line": x[0, :columns],
            "repeated": np.broadcast_to(x[:rows, :1], (rows, columns))}


NAMES = ["plain", "transposed", "steps", "reversed", "row", "column", "number", "line", "repeated"]


@pytest.mark.parametrize("second", NAMES)
@pytest.mark.parametrize("first", NAMES)
def test_sum_of_any_two_layouts_is_numpy_s(drawn, first, second):
    for kind in KINDS:
        a, b = layouts(drawn, kind)[first], layouts(drawn, kind)[second]
        for out in (np.empty((LARGE, LARGE), kind), np.empty((LARGE, LARGE), kind).T):
            pointwise.add(out, a, b)
            wider = np.float64 if kind is np.float64 else np.float32
            expected = np.broadcast_to((a.astype(wider) + b.astype(wider)).astype(kind), out.shape)
            np.testing.assert_array_equal(out.astype(np.float64), expected.astype(np.float64))


@pytest.mark.parametrize("name", NAMES)
def test_choice_copy_and_bounds_take_any_layout(drawn, name):
    for kind in (*KINDS, np.int32, np.int64, np.uint8):
        a, plain = layouts(drawn, kind)[name], layouts(drawn, kind)["plain"]
        mask, out = plain.T > kind(0), np.empty((LARGE, LARGE), kind)
        pointwise.where(out, mask, a, plain)
        np.testing.assert_array_equal(out, np.where(mask, a, plain))
        pointwise.copy(out, a)
        np.testing.assert_array_equal(out, np.broadcast_to(a, out.shape))
        if kind is not np.uint8:
            pointwise.clamp(out, a, -1, 1)
            expected = np.broadcast_to(np.clip(a.astype(np.float64), -1, 1), out.shape)
            np.testing.assert_array_equal(out.astype(np.float64), expected)


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.float32, np.float64, np.complex64])
@pytest.mark.parametrize("width", [1, 3, 4, 8, 16, 17])
def test_copies_of_short_lines_and_across_keep_every_bit(kind, width):
    random = np.random.default_rng(0)
    x = random.integers(0, 256, (11, 45, 37, width * np.dtype(kind).itemsize), np.uint8).view(kind)
    for axes in ((0, 2, 1, 3), (2, 0, 1, 3), (0, 3, 1, 2), (3, 2, 1, 0)):
        turned = x.transpose(axes)
        for source in (turned, turned[1:, ::2]):
            out = np.empty(source.shape, kind)
            pointwise.copy(out, source)
            assert out.tobytes() == source.tobytes()


@pytest.mark.parametrize("kind", [np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize("name", NAMES)
def test_casts_from_and_to_halves_take_any_layout(drawn, kind, name):
    for of, to in ((kind, np.float32), (np.float32, kind)):
        a = layouts(drawn, of)[name]
        for out in (np.empty((LARGE, LARGE), to), np.empty((LARGE, LARGE), to).T, np.empty((LARGE, 600), to)[:, ::2]):
            assert casting.cast(out, a)
            np.testing.assert_array_equal(out, np.broadcast_to(a.astype(to), out.shape))


@pytest.mark.parametrize("name", NAMES)
def test_packed_loops_take_any_layout(drawn, name):
    for kind in KINDS:
        a = layouts(drawn, kind)[name]
        ours, theirs = np.empty((LARGE, LARGE), kind), np.empty((LARGE, LARGE), kind)
        for kernel in (activation.sigmoid, unary.neg):
            kernel(ours.T, a.T if a.ndim == 2 and a.shape == ours.shape else np.broadcast_to(a, ours.shape).T)
            kernel(theirs, np.broadcast_to(a, ours.shape).copy())
            np.testing.assert_array_equal(ours, theirs)
        update.addcmul(ours, a, a, np.broadcast_to(a, ours.shape), 0.5)
        dense = np.broadcast_to(a, ours.shape).copy()
        update.addcmul(theirs, dense, dense, dense, 0.5)
        np.testing.assert_array_equal(ours, theirs)


def test_a_result_that_overlaps_what_is_read_is_as_if_it_did_not():
    x = np.arange(100, dtype=np.float32)
    pointwise.add(x[1:], x[:-1], x[:-1])
    np.testing.assert_array_equal(x[1:], 2 * np.arange(99, dtype=np.float32))
    square = np.arange(100, dtype=np.float32).reshape(10, 10)
    expected = square + square.T
    pointwise.add(square, square, square.T)
    np.testing.assert_array_equal(square, expected)
    line = np.arange(50, dtype=np.float32)
    unary.neg(line[1:], line[:-1])
    np.testing.assert_array_equal(line[1:], -np.arange(49, dtype=np.float32))


@pytest.mark.parametrize("kind", [np.float16, ml_dtypes.bfloat16])
def test_every_half_goes_to_float32_and_back(kind):
    halves = np.arange(2**16, dtype=np.uint16).view(kind)
    wide, back = np.empty(2**16, np.float32), np.empty(2**16, kind)
    assert casting.cast(wide, halves)
    np.testing.assert_array_equal(wide, halves.astype(np.float32))
    assert casting.cast(back, wide)
    numbers = ~np.isnan(wide)
    np.testing.assert_array_equal(back.view(np.uint16)[numbers], halves.view(np.uint16)[numbers])
    assert np.isnan(back.astype(np.float32)[~numbers]).all()
    assert casting.cast(back[::-2], wide[::2])
    np.testing.assert_array_equal(back[::-2].astype(np.float32), wide[::2])


@pytest.mark.parametrize("kind", [np.float16, ml_dtypes.bfloat16])
def test_float32_is_rounded_as_everywhere(kind, drawn):
    with np.errstate(over="ignore"):
        corners = [0.0, -0.0, np.inf, -np.inf, 65519.9, 65520.0, 3.3e38, 5.96e-8, 2.98e-8, 2.99e-8]
        powers = 10.0 ** np.random.default_rng(0).integers(-9, 9, 5000)
        x = np.concatenate([drawn(5000) * powers, corners]).astype(np.float32)
        out = np.empty(x.shape, kind)
        casting.cast(out, x)
        np.testing.assert_array_equal(out.astype(np.float32), x.astype(kind).astype(np.float32))


@pytest.fixture
def threads():
    before = pool.get_threads()
    yield pool.set_threads
    pool.set_threads(before)


def test_results_do_not_depend_on_the_number_of_threads(threads, drawn):
    x = drawn((700, 900))
    results = []
    for count in (1, 2, 5):
        threads(count)
        total, rows, columns = (np.empty(shape, np.float32) for shape in ((), 700, 900))
        product = np.empty_like(x)
        sums.total(total, x, (0, 1))
        sums.total(rows, x, (1,))
        sums.total(columns, x, (0,))
        pointwise.mul(product, x, x)
        results.append([total, rows, columns, product])
    for other in results[1:]:
        for a, b in zip(results[0], other):
            np.testing.assert_array_equal(a, b)
