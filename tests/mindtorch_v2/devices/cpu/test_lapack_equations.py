"""Equations solved as nearly as can be, and symmetric ones: each matrix of a batch, in both builds."""

from __future__ import annotations

import numpy as np
import pytest

TYPES = [np.dtype(name) for name in ("float32", "float64", "complex64", "complex128")]
DRIVERS = ["gels", "gelsy", "gelsd", "gelss"]


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


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("lead, m, n", [((3,), 5, 5), ((2, 2), 7, 3), ((), 3, 6), ((1,), 60, 40)])
def test_what_is_left_is_least(kernels, batch, lead, m, n, driver, dtype):
    a, b = batch((*lead, m, n), dtype), batch((*lead, max(m, n), 2), dtype)
    solution, values = b.copy(order="K"), np.zeros((*lead, min(m, n)), dtype.type(0).real.dtype)
    count = int(np.prod(lead))
    ranks, codes = np.zeros(count, np.int64), np.full(count, 7, np.int32)
    kernels.lstsq(a.copy(order="K"), solution, values, None if driver == "gels" else ranks, codes, 1e-6, driver)
    assert not codes.any()
    assert driver == "gels" or (ranks == min(m, n)).all()
    expected = np.linalg.pinv(a) @ b[..., :m, :]
    np.testing.assert_allclose(solution[..., :n, :], expected, atol=1e-3)
    if driver in ("gelsd", "gelss"):
        np.testing.assert_allclose(values, np.linalg.svd(a, compute_uv=False), atol=1e-3)


@pytest.mark.parametrize("driver", DRIVERS[1:])
def test_ranks_of_matrices_without_full_rank(kernels, driver):
    a = np.ones((2, 3, 3)).swapaxes(-1, -2)
    ranks, codes, sides = np.zeros(2, np.int64), np.zeros(2, np.int32), np.ones((2, 1, 3)).swapaxes(-1, -2)
    kernels.lstsq(a, sides, np.zeros((2, 3)), ranks, codes, 1e-6, driver)
    assert ranks.tolist() == [1, 1]
    np.testing.assert_allclose(sides, 1 / 3)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("hermitian", [False, True])
@pytest.mark.parametrize("lead, n", [((3,), 1), ((2, 2), 6), ((), 40)])
def test_symmetric_equations(kernels, batch, lead, n, hermitian, dtype):
    a, sides = batch((*lead, n, n), dtype), batch((*lead, n, 2), dtype)
    a = a + (a.conj() if hermitian else a).swapaxes(-1, -2)
    factors, solution = a.swapaxes(-1, -2).copy().swapaxes(-1, -2), sides.copy("K")
    pivots, codes = np.zeros((*lead, n), np.int32), np.zeros(int(np.prod(lead)), np.int32)
    kernels.sytrf(factors, pivots, codes, hermitian)
    kernels.sytrs(solution, factors, pivots, hermitian)
    assert not codes.any()
    is_single = a.real.dtype == np.float32
    np.testing.assert_allclose(a @ solution, sides, atol=2e-2 if is_single else 1e-9)


@pytest.mark.parametrize("pivots", [[0, 1, 2], [1, 2, 4], [1, 2, -1], [-1, 2, 3], [-3, -4, 1]])
def test_pivots_that_lead_outside_are_refused(pivots):
    compiled = pytest.importorskip("mindtorch_v2.devices.cpu.compiled.lapack_equations", reason="not compiled")
    factors, sides = np.asfortranarray(np.eye(3)), np.asfortranarray(np.ones((3, 1)))
    with pytest.raises(RuntimeError, match="pivots"):
        compiled.sytrs(sides, factors, np.array(pivots, np.int32), False)
