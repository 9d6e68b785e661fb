"""Roots, reciprocals, signs and logarithms: the compiled kernels equal their reference, infinities and NaN included."""

from __future__ import annotations

import numpy as np
import pytest

from mindtorch_v2.devices.cpu.reference import unary as reference

compiled = pytest.importorskip("mindtorch_v2.devices.cpu.compiled.unary")
VALUES = [0.0, -0.0, 1.0, 2.5, -3.0, 1e-30, 1e30, np.inf, -np.inf, np.nan, 0.3, -0.7, 1e-3, 8.0, 1000.0, 5e-39]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
@pytest.mark.parametrize("name", ["sqrt", "rsqrt", "reciprocal", "neg", "sign", "frac", "exp2", "erfc", "log", "log1p",
                                  "log2", "log10", "atanh"])
def test_kernel_equals_reference(name, dtype):
    with np.errstate(all="ignore"):
        x = np.array(VALUES, dtype)
    ours, theirs = np.empty_like(x), np.empty_like(x)
    getattr(compiled, name)(ours, x)
    getattr(reference, name)(theirs, x)
    np.testing.assert_allclose(ours, theirs, rtol=max(1e-6, float(np.finfo(dtype).eps)))


@pytest.mark.parametrize(("dtype", "exact"), [(np.float32, 2e-7), (np.float64, 3e-16)])
def test_powers_of_two_are_exact_to_their_last_bits(dtype, exact):
    x = np.concatenate([np.linspace(-1080, 1030, 5001), np.arange(-30.0, 30), [np.inf, -np.inf, np.nan]]).astype(dtype)
    ours = np.empty_like(x)
    compiled.exp2(ours, x)
    with np.errstate(over="ignore", under="ignore"):
        np.testing.assert_allclose(ours, np.exp2(x), rtol=exact, atol=np.finfo(dtype).smallest_subnormal)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
@pytest.mark.parametrize("name", ["digamma", "trigamma", "lgamma"])
def test_gamma_function_equals_reference_on_both_sides_of_zero(name, dtype):
    edges = [np.inf, np.nan, 0.0, -0.0, 1.0, 2.0, -3.0, 60000.0]
    x = np.concatenate([np.linspace(-9.4, 30, 4001), edges]).astype(dtype)
    ours, theirs = np.empty_like(x), np.empty_like(x)
    getattr(compiled, name)(ours, x)
    getattr(reference, name)(theirs, x)
    exact = {2: 1e-3, 4: 2e-6, 8: 1e-12}[x.itemsize]
    near_pole = (np.abs(x - np.round(x)) < 1e-2) & (x < 0.5)  # where the reference loses digits
    np.testing.assert_allclose(ours[~near_pole], theirs[~near_pole], rtol=exact, atol=exact)
    np.testing.assert_array_equal(np.isnan(ours), np.isnan(theirs))


@pytest.mark.parametrize(("name", "rtol"), [("erfc", 1e-13), ("log", 4e-16), ("log1p", 4e-16), ("log2", 4e-16),
                                            ("log10", 4e-16)])
def test_doubles_are_exact_to_their_last_bits(name, rtol):
    x = np.concatenate([np.linspace(1e-3, 26, 2000), np.geomspace(1e-300, 1e300, 2000)])
    ours, theirs = np.empty_like(x), np.empty_like(x)
    getattr(compiled, name)(ours, x)
    getattr(reference, name)(theirs, x)
    np.testing.assert_allclose(ours, theirs, rtol=rtol, atol=5e-324 if name == "erfc" else 0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_numbers_in_the_place_of_what_is_not_finite(dtype):
    with np.errstate(all="ignore"):
        x = np.array(VALUES, dtype)
    ours, theirs = np.empty_like(x), np.empty_like(x)
    compiled.finite(ours, x, 1.5, 2.5, -2.5)
    reference.finite(theirs, x, 1.5, 2.5, -2.5)
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("eps", [-1, 0.1])
def test_logit_holds_what_is_too_near_to_the_ends(eps):
    x = np.array([0.0, 0.05, 0.3, 0.5, 0.97, 1.0, np.nan])
    ours, theirs = np.empty_like(x), np.empty_like(x)
    compiled.logit(ours, x, eps)
    reference.logit(theirs, x, eps)
    np.testing.assert_allclose(ours, theirs, rtol=1e-14, atol=1e-15)
