"""weight_norm, spectral_norm and parametrizations."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

from .cases.reparametrized import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_reparametrized_layers_answer_as_torch_does(name):
    check("reparametrized", name, CASES[name])


def test_a_plain_state_can_be_loaded_after_spectral_norm_was_removed():
    layer = torch.nn.utils.remove_spectral_norm(torch.nn.utils.spectral_norm(torch.nn.Linear(2, 3)))
    state = torch.nn.Linear(2, 3).state_dict()
    layer.load_state_dict(state)
    assert torch.equal(layer.weight, state["weight"])


@pytest.mark.parametrize("how", ["cayley", "householder", "matrix_exp"])
def test_orthogonal_keeps_a_weight_orthogonal_through_a_step(how):
    layer = torch.nn.utils.parametrizations.orthogonal(torch.nn.Linear(3, 5), orthogonal_map=how)
    layer(torch.randn(2, 3)).square().sum().backward()
    torch.optim.SGD(layer.parameters(), lr=0.1).step()
    assert torch.allclose(layer.weight.mT @ layer.weight, torch.eye(3), atol=1e-5)
