"""Layers that pad, and convolutions of padded inputs."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.nn import functional

from .cases.padding import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_padding_computes_as_torch_does(name):
    check("padding", name, CASES[name])


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_what_is_cut_off_altogether_gets_no_gradient(dtype):
    x = torch.ones(2, 3, 4, 4, 1, dtype=dtype, requires_grad=True)
    functional.pad(x, (0, -1, -1, -1, 0, 0), "reflect").sum().backward()
    assert not x.grad.any()
