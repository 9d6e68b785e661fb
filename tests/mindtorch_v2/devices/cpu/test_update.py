"""Optimiser arithmetic in one pass."""
from __future__ import annotations

import numpy as np
import pytest

SHAPES = [(16, 32), (33,), (1,), (0,)]


def test_equals_torch(replay, fact):
    replay(fact)


@pytest.mark.parametrize("shape", SHAPES)
def test_compiled_arithmetic_equals_reference(agree, drawn, shape, dtype):
    x, a, b = drawn(shape, dtype), drawn(shape, dtype), np.abs(drawn(shape, dtype)) + dtype.type(1)
    out = np.empty(shape, dtype)
    agree("addcmul", out, x, a, b, 0.3)
    agree("addcdiv", out, x, a, b, -0.3)
    agree("axpy", out, x, a, 0.7)
    for weight in (0.1, 0.5, 0.9):
        agree("lerp_scalar", out, x, a, weight)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("amsgrad, maximize, decoupled", [(0, 0, 0), (1, 0, 1), (0, 1, 1), (1, 1, 0)])
@pytest.mark.parametrize("decay", [0.0, 0.1])
def test_compiled_adam_equals_reference(agree, drawn, shape, amsgrad, maximize, decoupled, decay, dtype):
    p, g, m, (v, most) = *(drawn(shape, dtype) for _ in range(3)), (np.abs(drawn(shape, dtype)) for _ in range(2))
    agree("fused_adam", p, g, m, v, most if amsgrad else None, 0.01, 0.9, 0.999, decay, 1e-8, bool(amsgrad),
          bool(maximize), bool(decoupled), 3.0)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("momentum, nesterov", [(0, False), (0.9, False), (0.9, True)])
@pytest.mark.parametrize("first", [True, False])
def test_compiled_sgd_equals_reference(agree, drawn, shape, momentum, nesterov, first, dtype):
    p, g, buffer = drawn(shape, dtype), drawn(shape, dtype), drawn(shape, dtype) if momentum else None
    agree("fused_sgd", p, g, buffer, 0.1, momentum, 0.01, 0.2, nesterov, False, first)


@pytest.mark.parametrize("shape", SHAPES)
def test_compiled_adagrad_equals_reference(agree, drawn, shape, dtype):
    total = np.abs(drawn(shape, dtype))
    agree("fused_adagrad", drawn(shape, dtype), drawn(shape, dtype), total, 0.1, 0.2, 0.05, 1e-10, True, 3.0)


def test_first_momentum_ignores_what_the_buffer_held(kernels):
    p, g, buffer = np.ones(20, np.float32), np.ones(20, np.float32), np.full(20, np.nan, np.float32)
    kernels.fused_sgd(p, g, buffer, 0.0, 0.9, 0.5, 0.0, False, False, True)
    np.testing.assert_array_equal(p, 0.5)


def test_without_decay_an_infinite_parameter_leaves_the_averages_finite(kernels):
    p, g, m, v = np.full(20, np.inf), np.ones(20), np.zeros(20), np.zeros(20)
    kernels.fused_adam(p, g, m, v, None, 0.1, 0.9, 0.999, 0.0, 1e-8, False, False, False, 1.0)
    assert np.isfinite(m).all() and np.isinf(p).all()


def test_lerp_meets_both_ends(kernels):
    a, b = np.array([1e8, 3.0], np.float32), np.array([1.0, -7.0], np.float32)
    out = np.empty_like(a)
    kernels.lerp_scalar(out, a, b, 0.0)
    np.testing.assert_array_equal(out, a)
    kernels.lerp_scalar(out, a, b, 1.0)
    np.testing.assert_array_equal(out, b)
