"""gather, scatter and scatter_add: the compiled kernels equal their references; places outside change nothing."""
from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

SHAPES = [(1, 5, 7, 1), (3, 5, 2, 4), (4, 1, 3, 1), (2, 6, 0, 3), (1, 1, 1, 1)]  # outer, n, count, inner
KINDS = [np.float32, np.float64, np.int32, np.int64, np.int16, np.uint8, np.complex128, ml_dtypes.bfloat16]


@pytest.fixture
def places():
    rng = np.random.default_rng(3)
    return lambda outer, n, count, inner: rng.integers(0, n, (outer, count, inner))


@pytest.mark.parametrize("sizes", SHAPES)
@pytest.mark.parametrize("kind", KINDS)
def test_gather_equals_reference(agree, drawn, places, kind, sizes):
    outer, n, count, inner = sizes
    x = (drawn((outer, n, inner)) * 4).astype(kind)
    if np.dtype(kind).kind == "c":
        x = x.real.astype(np.int64)  # the harness compares real numbers
    agree("gather", np.zeros((outer, count, inner), x.dtype), x, places(*sizes), *sizes)


@pytest.mark.parametrize("name", ["scatter", "scatter_add", "scatter_multiply", "scatter_larger", "scatter_smaller"])
@pytest.mark.parametrize("sizes", SHAPES)
@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32, np.int64, np.int16, np.bool_, ml_dtypes.bfloat16])
def test_scatter_equals_reference(agree, drawn, places, name, kind, sizes):
    outer, n, count, inner = sizes
    out, x = ((drawn(shape) * 4).astype(kind) for shape in ((outer, n, inner), (outer, count, inner)))
    agree(name, out, x, places(*sizes), *sizes)


@pytest.mark.parametrize("sizes", SHAPES)
@pytest.mark.parametrize("kind", [np.float32, np.int64, np.int16, np.bool_, ml_dtypes.bfloat16])
@pytest.mark.parametrize("name", ["scatter", "scatter_add", "scatter_larger"])
def test_places_may_be_the_same_for_all_lines(agree, drawn, name, kind, sizes):
    outer, n, count, inner = sizes
    out, x = ((drawn(shape) * 4).astype(kind) for shape in ((outer, n, inner), (outer, count, inner)))
    agree(name, out, x, np.arange(count) * 7 % n, *sizes)
    agree("gather", x, out, np.arange(count) * 7 % n, *sizes)


@pytest.mark.parametrize("name", ["scatter", "scatter_add"])
def test_one_number_goes_everywhere(agree, places, name):
    agree(name, np.zeros((3, 5, 4), np.float32), np.array(2, np.float32), places(3, 5, 2, 4), 3, 5, 2, 4)


@pytest.mark.parametrize("bad", [-1, 5, 2**62, -2**63])
@pytest.mark.parametrize("name", ["gather", "scatter", "scatter_add"])
def test_a_place_outside_is_told_and_nothing_changes(kernels, name, bad):
    x, out = np.arange(5, dtype=np.float32), np.full(5, 7, np.float32)
    at = np.array([0, 1, 2, bad, 3])
    assert not getattr(kernels, name)(out, x, at, 1, 5, 5, 1)
    np.testing.assert_array_equal(out, 7)


@pytest.mark.parametrize("shape", [(), (1,), (9,), (4, 6), (2, 3, 4), (0,), (3, 0)])
def test_coordinates_of_what_is_true(kernels, drawn, shape):
    mask = np.asarray(drawn(shape) > 0).reshape(shape)
    ours = kernels.nonzero(mask)
    np.testing.assert_array_equal(ours, np.argwhere(mask))
    assert ours.dtype == np.int64


@pytest.mark.parametrize("kind", [np.uint8, np.int8])
@pytest.mark.parametrize("name", ["scatter_add", "scatter_multiply", "scatter_larger", "scatter_smaller"])
def test_small_whole_numbers_wrap_around_as_in_the_reference(agree, places, name, kind):
    rng = np.random.default_rng(5)
    out, x = (rng.integers(0, 100, shape).astype(kind) for shape in ((3, 5, 4), (3, 20, 4)))
    agree(name, out, x, places(3, 5, 20, 4), 3, 5, 20, 4)


@pytest.mark.parametrize("kind", [np.complex64, np.complex128])
@pytest.mark.parametrize("name", ["scatter_add", "scatter_multiply"])
def test_complex_numbers_are_added_and_multiplied(kernels, drawn, places, name, kind):
    out, x = ((drawn(shape) + 1j * drawn(shape)).astype(kind) for shape in ((3, 5, 2), (3, 9, 2)))
    at, expected = places(3, 5, 9, 2), out.copy()
    rows, _, columns = np.ogrid[:3, :9, :2]
    (np.add if name == "scatter_add" else np.multiply).at(expected, (rows, at, columns), x)
    assert getattr(kernels, name)(out, x, at, 3, 5, 9, 2)
    np.testing.assert_allclose(out, expected, rtol=1e-4)


@pytest.mark.parametrize("kind", [np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize("sizes", [(1, 5, 7, 1), (3, 5, 20, 4), (2, 700, 900, 130), (1, 3, 300, 300), (2, 6, 0, 3)])
def test_halves_are_added_up_in_float32(kernels, drawn, kind, sizes):
    outer, n, count, inner = sizes
    out, x = ((drawn(shape) * 4).astype(kind) for shape in ((outer, n, inner), (outer, count, inner)))
    places, expected = np.arange(count) * 7 % n, out.astype(np.float32)
    np.add.at(expected, (slice(None), places), x.astype(np.float32))
    assert kernels.add_halves(out, x, places, *sizes)
    assert out.tobytes() == expected.astype(kind).tobytes()


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.float32, np.float64, np.complex128])
@pytest.mark.parametrize("size", [0, 1, 100, 50_000])
def test_one_element_after_the_other_is_put_under_a_mask(kernels, kind, size):
    rng = np.random.default_rng(6)
    mask, out = rng.random(size) < 0.4, rng.integers(0, 100, size).astype(kind)
    x = rng.integers(0, 100, int(mask.sum())).astype(kind)
    expected = out.copy()
    expected[mask] = x
    assert kernels.put_masked(out, mask, x)
    np.testing.assert_array_equal(out, expected)
    if x.size:
        assert kernels.put_masked(out, mask, x[1:]) is None
