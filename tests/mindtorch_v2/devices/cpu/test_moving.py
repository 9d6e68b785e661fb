"""Elements moved to another place by compiled loops: as NumPy moves them, and not at all where it has to."""

from __future__ import annotations

import numpy as np
import pytest

from mindtorch_v2.devices import cpu
from mindtorch_v2.devices.cpu.reference import moving as reference

TYPES = (np.bool_, np.int8, np.float32, np.int64, np.complex128)
CASES = {
    "concatenate": lambda x: ((4, 3, 4), ([x, x], 0)), "stack": lambda x: ((2, 3, 2, 4), ([x, x], 2)),
    "flip": lambda x: ((2, 3, 4), (x, (0, 2))), "roll": lambda x: ((2, 3, 4), (x, 2, 1)),
    "repeat": lambda x: ((2, 2, 9, 4), (x,)), "triangle": lambda x: ((2, 3, 4), (x.copy("C"), -1, False)),
}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("turned", [False, True])
def test_moves_equal_those_of_numpy(name, dtype, turned):
    x = np.arange(24).reshape(2, 3, 4).astype(dtype)
    if turned:
        x = x.copy("F")
    shape, args = CASES[name](x)
    out, wanted = np.empty(shape, dtype), np.empty(shape, dtype)
    assert getattr(cpu.moving, name)(out, *args) and getattr(reference, name)(wanted, *args)
    assert np.array_equal(out, wanted)


@pytest.mark.parametrize("name", ["concatenate", "stack"])
def test_other_types_are_left_to_numpy(name):
    shape, args = CASES[name](np.ones((2, 3, 4), np.float32))
    out = np.zeros(shape)
    assert not getattr(cpu.moving, name)(out, *args)
    assert not out.any()


def test_what_does_not_fit_is_refused_and_nothing_is_written():
    x, out = np.ones((2, 3)), np.zeros((2, 4))
    assert not cpu.moving.flip(out, x, (0,)) and not cpu.moving.roll(out, x, 1, 0)
    assert not cpu.moving.repeat(out, x) and not cpu.moving.triangle(out, x, 0, True)
    assert not cpu.moving.concatenate(out, [x, x], 1) and not cpu.moving.stack(out, [x], 0)
    assert not out.any()


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("widths", [[1, 1], [1, 2, 3], [40, 1], [0, 5]])
def test_rows_are_joined_piece_by_piece(kernels, dtype, widths):
    arrays = [np.arange(150 * width).reshape(150, width).astype(dtype) for width in widths]
    out = np.zeros((150, sum(widths)), dtype)
    assert kernels.join(out, arrays, 150)
    np.testing.assert_array_equal(out, np.concatenate(arrays, 1))
    assert not kernels.join(out, [a.astype(np.int16) for a in arrays], 150)
    assert not kernels.join(out[:, ::-1], arrays, 150)
