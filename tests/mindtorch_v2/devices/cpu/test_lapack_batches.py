"""LAPACK's routines over batches: each matrix as one by one, however the batch lies, and both builds alike."""

from __future__ import annotations

import numpy as np
import pytest

TYPES = [np.dtype(name) for name in ("float32", "float64", "complex64", "complex128")]


@pytest.fixture
def batch(drawn):
    """Matrices column by column, of any type."""
    def make(shape, dtype, positive=False):
        turned = (*shape[:-2], shape[-1], shape[-2])
        a = drawn(turned, dtype.type(0).real.dtype).astype(dtype)
        if dtype.kind == "c":
            a += 1j * drawn(turned, dtype.type(0).real.dtype)
        if positive:
            a = a @ a.conj().swapaxes(-1, -2) + shape[-1] * np.eye(shape[-1], dtype=dtype)
        return a.swapaxes(-1, -2)
    return make


def adjoint(a):
    return a.conj().swapaxes(-1, -2)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("shape", [(3, 5, 5), (2, 2, 6, 3), (3, 6), (4, 0, 3), (0, 3, 3), (2, 40, 40)])
def test_factors_multiply_up_to_the_matrix(kernels, batch, shape, dtype):
    a = batch(shape, dtype)
    factors, least, rows = a.copy(order="K"), min(shape[-2:]), shape[-2]
    pivots, codes = np.zeros((*shape[:-2], least), np.int32), np.full(int(np.prod(shape[:-2])), 7, np.int32)
    kernels.getrf(factors, pivots, codes)
    assert not codes.any()
    for at in np.ndindex(*shape[:-2]):
        expected = a[at].copy()
        for i, pivot in enumerate(pivots[at]):
            expected[[i, pivot - 1]] = expected[[pivot - 1, i]]
        lower = np.tril(factors[at], -1)[:, :least] + np.eye(rows, least)
        np.testing.assert_allclose(lower @ np.triu(factors[at])[:least], expected, atol=1e-4)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("is_adjoint", [False, True])
def test_one_matrix_serves_several_right_hand_sides(kernels, batch, is_adjoint, dtype):
    a, sides = batch((1, 6, 6), dtype), batch((4, 6, 3), dtype)
    factors, pivots, codes = a.copy(order="K"), np.zeros((1, 6), np.int32), np.zeros(1, np.int32)
    kernels.getrf(factors, pivots, codes)
    solution = sides.copy(order="K")
    kernels.getrs(solution, np.broadcast_to(factors, (4, 6, 6)), np.broadcast_to(pivots, (4, 6)), is_adjoint)
    np.testing.assert_allclose((adjoint(a) if is_adjoint else a) @ solution, sides, atol=1e-3)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("upper", [False, True])
def test_positive_matrices_by_triangles(kernels, batch, upper, dtype):
    a, sides = batch((2, 3, 7, 7), dtype, positive=True), batch((2, 3, 7, 2), dtype)
    factor, codes = a.copy(order="K"), np.zeros(6, np.int32)
    kernels.potrf(factor, codes, upper)
    triangle = np.triu(factor) if upper else np.tril(factor)
    np.testing.assert_allclose(adjoint(triangle) @ triangle if upper else triangle @ adjoint(triangle), a, rtol=1e-3,
                               atol=1e-3)
    solution, inverse = sides.copy(order="K"), factor.copy(order="K")
    kernels.potrs(solution, factor, upper)
    np.testing.assert_allclose(a @ solution, sides, atol=1e-3)
    kernels.potri(inverse, codes, upper)
    np.testing.assert_allclose(a @ inverse, np.broadcast_to(np.eye(7), a.shape), atol=1e-3)


def test_a_minor_that_is_not_positive_is_named(kernels, batch):
    a, codes = batch((3, 9, 9), TYPES[0], positive=True), np.zeros(3, np.int32)
    a[1, 4, 4] = -1
    kernels.potrf(a, codes, False)
    assert codes.tolist() == [0, 5, 0]


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("transpose", [0, 1, 2])
@pytest.mark.parametrize("unitriangular", [False, True])
def test_triangles_of_any_kind(kernels, batch, upper, left, transpose, unitriangular, dtype):
    triangle, sides = batch((3, 4, 4), dtype) / 4 + 4 * np.eye(4, dtype=dtype), batch((3, 4, 4), dtype)
    a = np.triu(triangle) if upper else np.tril(triangle)
    if unitriangular:
        a = a - a * np.eye(4) + np.eye(4)
    a = [a, a.swapaxes(-1, -2), adjoint(a)][transpose]
    solution = sides.copy(order="K")
    kernels.trsm(solution, triangle.swapaxes(-1, -2).copy().swapaxes(-1, -2), upper, left, transpose, unitriangular)
    np.testing.assert_allclose(a @ solution if left else solution @ a, sides, atol=1e-4)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("shape", [(3, 4, 4), (2, 7, 3), (1, 2, 40, 20)])
def test_reflections_multiply_up_to_orthogonal_columns(kernels, batch, shape, dtype):
    a = batch(shape, dtype)
    factors, tau = a.copy(order="K"), np.zeros((*shape[:-2], shape[-1]), dtype)
    kernels.geqrf(factors, tau)
    triangle = np.triu(factors)[..., :shape[-1], :]
    kernels.orgqr(factors, tau)
    np.testing.assert_allclose(factors @ triangle, a, atol=1e-4)
    identity = np.broadcast_to(np.eye(shape[-1]), triangle.shape)
    np.testing.assert_allclose(adjoint(factors) @ factors, identity, atol=1e-4)


def test_batches_that_lie_anyhow(kernels, batch):
    a = batch((6, 4, 4), TYPES[0])
    expected, every_other = a.copy(order="K"), a[::2]
    tau, of_all = np.zeros((3, 4), np.float32), np.zeros((6, 4), np.float32)
    kernels.geqrf(every_other, tau)
    kernels.geqrf(expected, of_all)
    np.testing.assert_array_equal(every_other, expected[::2])
    np.testing.assert_array_equal(tau, of_all[::2])


def test_what_lies_by_rows_is_refused_by_compiled_loops():
    lapack_batches = pytest.importorskip("mindtorch_v2.devices.cpu.compiled.lapack_batches", reason="not compiled")
    with pytest.raises(ValueError, match="column by column"):
        lapack_batches.geqrf(np.ones((2, 3, 4)), np.ones((2, 3)))
    with pytest.raises(ValueError, match="operand 1"):
        lapack_batches.geqrf(np.ones((2, 3, 3)).swapaxes(1, 2), np.ones((2, 2)))
    with pytest.raises(TypeError, match="complex128 wanted"):
        lapack_batches.geqrf(np.ones((3, 3), np.int64), np.ones(3))
