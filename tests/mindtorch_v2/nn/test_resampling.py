"""Layers and functions that resample and shuffle."""

from __future__ import annotations

import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2.nn import functional

from .cases.resampling import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_resampling_computes_as_torch_does(name):
    check("resampling", name, CASES[name])


def test_pixels_that_lie_last_are_resampled_as_planes_are():
    x = torch.randn(2, 5, 6, 7)
    last = x.contiguous(memory_format=torch.channels_last)
    for mode in ("nearest", "nearest-exact", "bilinear", "bicubic"):
        planes, pixels = (functional.interpolate(t, (9, 4), mode=mode) for t in (x, last))
        assert pixels.stride()[1] == 1
        np.testing.assert_allclose(planes.numpy(), pixels.numpy(), rtol=1e-5, atol=1e-6)


def test_places_in_half_precision_are_not_rounded_on_the_way():
    x, grid = torch.arange(64).reshape(1, 1, 1, 64).half(), torch.tensor([[[[0.3, 0.0]]]]).half()
    wide = functional.grid_sample(x.float(), grid.float(), align_corners=True)
    assert functional.grid_sample(x, grid, align_corners=True) == wide.half()


def test_a_cubic_that_keeps_the_size_has_the_gradient_of_what_it_mixes():
    x = torch.randn(1, 1, 4, 7).double().requires_grad_()
    (grad,) = torch.autograd.grad(functional.interpolate(x, scale_factor=1.1, mode="bicubic").sum(), x)
    step = torch.zeros_like(x)
    step[0, 0, 1, 2] = 1e-6
    high, low = (functional.interpolate(x + s, scale_factor=1.1, mode="bicubic").sum() for s in (step, -step))
    assert float(grad[0, 0, 1, 2]) == pytest.approx(float(high - low) / 2e-6, rel=1e-5)
