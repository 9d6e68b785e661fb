"""Eigenvalues and singular values of batches: vectors and values multiply up to the matrices."""

from __future__ import annotations

import numpy as np
import pytest

TYPES = [np.dtype(name) for name in ("float32", "float64", "complex64", "complex128")]


@pytest.fixture
def batch(drawn):
    """Matrices column by column, of any type."""
    def make(shape, dtype):
        turned = (*shape[:-2], shape[-1], shape[-2])
        a = drawn(turned, dtype.type(0).real.dtype).astype(dtype)
        if dtype.kind == "c":
            a += 1j * drawn(turned, dtype.type(0).real.dtype)
        return a.swapaxes(-1, -2)
    return make


def adjoint(a):
    return a.conj().swapaxes(-1, -2)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("shape", [(5, 4, 4), (2, 3, 1, 1), (33, 33), (0, 3, 3)])
def test_values_of_matrices_that_are_their_own_adjoint(kernels, batch, upper, shape, dtype):
    half = batch(shape, dtype)
    a = half + adjoint(half)
    read = np.triu(a) if upper else np.tril(a)  # the other half is not looked at
    values, codes = np.zeros(shape[:-1], dtype.type(0).real.dtype), np.ones(int(np.prod(shape[:-2])), np.int32)
    vectors, alone = [read.swapaxes(-1, -2).copy().swapaxes(-1, -2) for _ in range(2)]
    kernels.syevd(vectors, values, codes, upper, True)
    assert not codes.any()
    np.testing.assert_allclose(a @ vectors, vectors * values[..., None, :], atol=1e-3)
    without = values.copy()
    kernels.syevd(alone, without, codes, upper, False)
    np.testing.assert_allclose(without, values, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("shape", [(5, 4, 4), (2, 3, 1, 1), (20, 20), (2, 0, 0)])
def test_values_of_any_square_matrices(kernels, batch, shape, dtype):
    a, n = batch(shape, dtype), shape[-1]
    values = np.zeros((*shape[:-1][:-1], n if dtype.kind == "c" else 2 * n), dtype)
    vectors, codes = batch(shape, dtype), np.zeros(int(np.prod(shape[:-2])), np.int32)
    kernels.geev(a.copy(order="K"), values, vectors, codes)
    if dtype.kind == "c":
        np.testing.assert_allclose(a @ vectors, vectors * values[..., None, :], atol=1e-3)
    else:
        found = values[..., :n] + 1j * values[..., n:]
        np.testing.assert_allclose(found.sum(-1), np.trace(a, axis1=-2, axis2=-1), atol=1e-3)
    alone = np.zeros_like(values)
    kernels.geev(a.copy(order="K"), alone, None, codes)
    np.testing.assert_allclose(np.sort(alone, -1), np.sort(values, -1), atol=1e-2)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("full_matrices", [False, True])
@pytest.mark.parametrize("shape", [(4, 4, 4), (2, 3, 6, 2), (2, 9), (3, 40, 30)])
def test_singular_values(kernels, batch, full_matrices, shape, dtype):
    a, least = batch(shape, dtype), min(shape[-2:])
    s, codes = np.zeros((*shape[:-2], least), dtype.type(0).real.dtype), np.ones(int(np.prod(shape[:-2])), np.int32)
    u = batch((*shape[:-1], shape[-2] if full_matrices else least), dtype)
    vh = batch((*shape[:-2], shape[-1] if full_matrices else least, shape[-1]), dtype)
    kernels.gesdd(a.copy(order="K"), s, u, vh, codes, full_matrices)
    assert not codes.any()
    np.testing.assert_allclose((u[..., :least] * s[..., None, :]) @ vh[..., :least, :], a, atol=1e-4)
    alone = np.zeros_like(s)
    kernels.gesdd(a.copy(order="K"), alone, None, None, codes, full_matrices)
    np.testing.assert_allclose(alone, s, rtol=1e-4, atol=1e-5)


def test_what_is_not_finite_is_not_tried(kernels, batch):
    a, s, codes = batch((3, 4, 4), TYPES[0]), np.zeros((3, 4), np.float32), np.zeros(3, np.int32)
    a[1, 2, 3] = np.inf
    kernels.gesdd(a, s, None, None, codes, False)
    assert codes.tolist() == [0, -4, 0]
