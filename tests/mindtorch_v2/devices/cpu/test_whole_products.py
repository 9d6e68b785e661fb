"""Products of whole numbers wrap around as NumPy's do, in both builds."""

from __future__ import annotations

import numpy as np
import pytest

TYPES = [np.dtype(name) for name in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")]


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("a, b", [((3, 5), (5, 4)), ((1, 9), (9, 1)), ((40, 33), (33, 70)), ((2, 0), (0, 3)),
                                  ((0, 2), (2, 3)), ((6, 3, 7), (6, 7, 2)), ((0, 3, 7), (0, 7, 2)),
                                  ((2, 8, 8), (2, 8, 1))])
def test_products_of_any_size(agree, a, b, dtype):
    rng = np.random.default_rng(0)
    limits = np.iinfo(dtype)
    one, two = [rng.integers(limits.min, limits.max, shape, dtype, endpoint=True) for shape in (a, b)]
    agree("multiply_whole", np.zeros((*a[:-1], b[-1]), dtype), one, two)


def test_floats_and_sizes_that_do_not_fit_are_refused():
    whole_products = pytest.importorskip("mindtorch_v2.devices.cpu.compiled.whole_products", reason="not compiled")
    with pytest.raises(ValueError, match="whole numbers"):
        whole_products.multiply_whole(np.zeros((2, 2)), np.zeros((2, 2)), np.zeros((2, 2)))
    with pytest.raises(ValueError, match="kernel wants"):
        whole_products.multiply_whole(np.zeros((2, 2), int), np.zeros((2, 3), int), np.zeros((2, 2), int))
