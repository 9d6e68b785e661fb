"""Layers: their text, their numbers, their checks."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

from .cases.layers import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_layers_compute_as_torch_does(name):
    check("layers", name, CASES[name])


def test_the_backward_of_layer_norm_asks_for_sums_in_the_type_of_its_input():
    x, weight = torch.ones(6, 16).bfloat16().requires_grad_(), torch.ones(16, requires_grad=True)
    result = torch.nn.functional.layer_norm(x, (16,), weight, weight)
    with torch.profiler.profile(profile_memory=True) as prof:
        result.sum().backward()
    assert [e.self_cpu_memory_usage for e in prof.events() if e.name == "aten::resize_"] == [2 * 16 * 2]
