"""Places among sorted numbers, runs and counts: the compiled kernels equal their reference."""

from __future__ import annotations

import numpy as np
import pytest

TYPES = [np.float32, np.float64, np.int8, np.uint8, np.int16, np.int32, np.int64, np.bool_]


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("rows", [None, 0, 3])
@pytest.mark.parametrize("dtype", TYPES)
def test_places_equal_reference(agree, dtype, rows, right):
    rng = np.random.default_rng(0)
    shape = () if rows is None else (rows,)
    for count in (0, 1, 7, 100):
        boundaries = np.sort(rng.integers(0, 50, (*shape, count)).astype(dtype), axis=-1)
        values = rng.integers(0, 60, (*shape, 33)).astype(dtype)
        agree("places", np.empty(values.shape, np.int64), boundaries, values, right)


@pytest.mark.parametrize("right", [False, True])
def test_a_nan_belongs_behind_everything(kernels, right):
    out = np.empty(3, np.int64)
    kernels.places(out, np.array([1.0, 2.0]), np.array([np.nan, np.inf, -np.inf]), right)
    assert out.tolist() == [2, 2, 0]


@pytest.mark.parametrize("dtype", TYPES)
def test_runs_begin_where_the_reference_says(kernels, dtype):
    for x in ([], [3], [1, 1, 1], [0, 1, 1, 0, 0, 1], np.random.default_rng(1).integers(0, 2, 1000)):
        x = np.asarray(x).astype(dtype)
        expected = [at for at in range(len(x)) if at == 0 or x[at] != x[at - 1]]
        assert kernels.run_starts(x).tolist() == expected


def test_counts_equal_reference_and_what_does_not_fit_is_refused(agree, kernels):
    x = np.random.default_rng(2).integers(0, 9, 1000)
    agree("counts", np.empty(12, np.int64), x)
    for number in (-1, 12):
        with pytest.raises(ValueError, match="counted in 12"):
            kernels.counts(np.empty(12, np.int64), np.array([0, number]))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("edges", [np.linspace(-3, 3, 12), [0.0, 0.1, 0.11, 5.0], [1.0, 1.0, 1.0], [-1.0, 2.0]])
def test_counts_between_edges_equal_reference(agree, drawn, edges, dtype):
    edges = np.asarray(edges, dtype)
    x = np.concatenate([drawn(500, dtype), edges, [np.nan, np.inf, -np.inf]]).astype(dtype)
    agree("counts_between", np.zeros(len(edges) - 1, np.int64), edges, x)
