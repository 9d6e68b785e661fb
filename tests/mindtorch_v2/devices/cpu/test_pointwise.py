"""Arithmetic, comparison, clamping and choice."""
from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from .conftest import load

SHAPES = [(16, 32), (33,), (1,), (0,), ()]
ARITHMETIC = ["add", "sub", "mul", "div", "truncated_quotient"]
COMPARISON = ["eq", "ne", "lt", "le", "gt", "ge", "logical_and", "logical_or", "logical_xor"]
KINDS = [np.float32, np.float64, np.int32, np.int64, ml_dtypes.bfloat16, np.int16, np.uint8]


def test_equals_torch(replay, fact):
    replay(fact)


@pytest.fixture(params=["both", "a", "b"])
def operands(request, drawn):
    def make(shape, kind):
        a, b = ((drawn(shape) * 4).astype(kind).reshape(shape) for _ in range(2))
        one = np.array(3, kind)
        return {"both": (a, b), "a": (one, b), "b": (a, one)}[request.param]
    return make


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ARITHMETIC)
def test_compiled_arithmetic_equals_reference(agree, operands, name, kind, shape):
    a, b = operands(shape, kind)
    whole = np.dtype(kind).kind in "iu"
    agree(name, np.empty(shape, np.float64 if name == "div" and whole else kind), a, b)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", COMPARISON)
def test_compiled_comparison_equals_reference(agree, operands, name, kind, shape):
    agree(name, np.empty(shape, bool), *operands(shape, kind))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", KINDS)
def test_compiled_clamp_equals_reference(agree, drawn, kind, shape):
    a = (drawn(shape) * 4).astype(kind).reshape(shape)
    agree("clamp", np.empty(shape, kind), a, 1, 3)
    agree("clamp", np.empty(shape, kind), a, None, 3)
    agree("clamp_min", np.empty(shape, kind), a, 1)
    agree("clamp_max", np.empty(shape, kind), a, 1)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", [*KINDS, np.bool_])
def test_compiled_choice_equals_reference(agree, operands, drawn, kind, shape):
    agree("where", np.empty(shape, kind), np.asarray(drawn(shape) > 0).reshape(shape), *operands(shape, kind))


def test_integers_wrap_around(kernels):
    a, out = np.array([2**31 - 1] * 9, np.int32), np.empty(9, np.int32)
    kernels.add(out, a, np.ones(9, np.int32))
    np.testing.assert_array_equal(out, -(2**31))


def test_division_by_zero_is_silent(kernels, recwarn):
    a, out = np.array([1.0, -1.0, 0.0]), np.empty(3)
    kernels.div(out, a, np.zeros(3))
    np.testing.assert_array_equal(out, [np.inf, -np.inf, np.nan])
    assert not recwarn.list


def test_out_may_be_an_operand(kernels):
    a = np.arange(40, dtype=np.float32)
    kernels.mul(a, a, a)
    np.testing.assert_array_equal(a, np.arange(40) ** 2)


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int16, np.int32, np.int64, np.float32, np.float64])
def test_bounds_may_be_arrays_and_numbers_small(agree, kind):
    rng = np.random.default_rng(8)
    a, low, high = (rng.integers(0, 100, (7, 33)).astype(kind) for _ in range(3))
    if np.dtype(kind).kind == "f":
        a[0, :3], low[1, :3], high[2, :3] = np.nan, np.nan, np.nan
    agree("clamp_between", np.empty_like(a), a, low, high)
    agree("clamp_between", np.empty_like(a).T, a.T, low[:1].T, high[:, :1].T)
    agree("clamp", np.empty_like(a), a, 20, 50)
    agree("clamp", np.empty_like(a), a, None, 50)


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int32])
def test_a_bound_that_does_not_fit_whole_numbers_is_refused(kind):
    a = np.zeros(3, kind)
    with pytest.raises(OverflowError, match="does not fit"):
        load("compiled", "pointwise").clamp(a, a, 0, 2**40)
