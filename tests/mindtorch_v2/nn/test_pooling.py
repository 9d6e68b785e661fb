"""Layers that pool: their text, their numbers, their checks."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.nn import functional

from .cases.pooling import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_pooling_computes_as_torch_does(name):
    check("pooling", name, CASES[name])


def test_means_of_half_precision_volumes_are_rounded_once():
    x = torch.full((1, 1, 8, 8, 8), 0.1, dtype=torch.bfloat16)
    assert functional.adaptive_avg_pool3d(x, (1, 1, 2))[0, 0, 0, 0, 0] == x[0, 0, 0, 0, 0]
