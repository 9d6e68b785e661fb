"""Places of extremes: the compiled kernel equals its reference, NaN and equal numbers included."""

from __future__ import annotations

import numpy as np
import pytest

from mindtorch_v2.devices.cpu.reference import places as reference

compiled = pytest.importorskip("mindtorch_v2.devices.cpu.compiled.places")
SHAPES = [(1, 1, 1), (3, 5, 1), (2, 70, 3), (1, 9, 300), (4, 2, 257), (0, 3, 2), (2, 300, 5)]


@pytest.mark.parametrize("is_smallest", [False, True])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int8, np.int16, np.int32, np.int64, np.float32, np.float64])
def test_first_places_of_extremes_equal_reference(dtype, shape, is_smallest):
    x = np.random.default_rng(0).integers(0, 4, shape).astype(dtype)
    for value in (None, -np.inf, np.inf, np.nan):
        if value is not None and (np.dtype(dtype).kind != "f" or not x.size):
            break
        if value is not None:
            x[0, shape[1] // 2, 0] = x[-1, -1, -1] = value
        ours, theirs = (np.empty((shape[0], shape[2]), np.int64) for _ in range(2))
        compiled.place_of_extreme(ours, x, *shape, is_smallest)
        reference.place_of_extreme(theirs, x, *shape, is_smallest)
        np.testing.assert_array_equal(ours, theirs)
