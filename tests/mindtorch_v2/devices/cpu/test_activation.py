"""Activations and their derivatives, NaN and infinities included."""
from __future__ import annotations

import numpy as np
import pytest

SHAPES = [(16, 32), (33,), (1,), (0,), ()]
FORWARD = {"gelu": ("none",), "gelu-tanh": ("tanh",), "silu": (), "sigmoid": (), "softplus": (2.0, 20.0),
           "elu": (1.5, 1.2, 0.9), "leaky_relu": (0.1,), "mish": (), "hardswish": (), "hardsigmoid": (),
           "logsigmoid": (), "erf": (), "erfinv": ()}
BACKWARD = {"gelu": ("none",), "gelu-tanh": ("tanh",), "silu": (), "sigmoid": (), "tanh": (), "threshold": (0.2,),
            "softplus": (2.0, 20.0), "elu": (1.5, 1.2, 0.9, False), "elu-result": (1.5, 1.2, 0.9, True),
            "leaky_relu": (0.1,), "hardtanh": (-1.0, 1.0), "mish": (), "hardswish": (), "hardsigmoid": (),
            "logsigmoid": (), "shrink": (0.5,)}


def test_equals_torch(replay, fact):
    replay(fact)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("case", FORWARD)
def test_compiled_equals_reference(agree, drawn, case, shape, dtype):
    x = drawn(shape, dtype).reshape(shape) * (1 if case == "erfinv" else 4)
    x = np.tanh(x.astype(np.float64)).astype(dtype) if case == "erfinv" else x.astype(dtype)
    agree(case.partition("-")[0], np.empty(shape, dtype), x, *FORWARD[case])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("case", BACKWARD)
def test_compiled_derivative_equals_reference(agree, drawn, case, shape, dtype):
    g, x = drawn(shape, dtype).reshape(shape), drawn(shape, dtype).reshape(shape)
    agree(f"{case.partition('-')[0]}_backward", np.empty(shape, dtype), g, x, *BACKWARD[case])


@pytest.mark.parametrize("name, wanted", [("silu", -90), ("sigmoid", -90), ("softplus", -90), ("logsigmoid", 90)])
def test_far_tails_keep_their_digits(kernels, name, wanted):
    x = np.full(20, wanted, np.float64)
    out, tail = np.empty_like(x), np.exp(-90.0)
    getattr(kernels, name)(out, x, *FORWARD[name][:0] if name != "softplus" else (1.0, 20.0))
    expected = {"silu": -90 * tail, "sigmoid": tail, "softplus": tail, "logsigmoid": -tail}[name]
    np.testing.assert_allclose(out, expected, rtol=1e-13)


def test_out_may_be_the_argument(kernels):
    x = np.linspace(-3, 3, 50, dtype=np.float32)
    out = np.empty_like(x)
    kernels.silu(out, x)
    kernels.silu(x, x)
    np.testing.assert_array_equal(x, out)


def test_erfinv_undoes_erf(kernels):
    x = np.linspace(-3, 3, 61)
    y, back = np.empty_like(x), np.empty_like(x)
    kernels.erf(y, x)
    kernels.erfinv(back, y)
    np.testing.assert_allclose(back, x, rtol=1e-10, atol=1e-15)
