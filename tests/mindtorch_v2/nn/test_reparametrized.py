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


@pytest.mark.parametrize("how", ["matrix_exp", "cayley", "householder"])
def test_orthogonal_names_the_operator_that_is_not_here_yet(how):
    linear = torch.nn.Linear(3, 3)
    before = linear.weight
    with pytest.raises(NotImplementedError, match="needs the operator 'aten::geqrf', which is not implemented"):
        torch.nn.utils.parametrizations.orthogonal(linear, orthogonal_map=how)
    assert linear.weight is before
    assert not torch.nn.utils.parametrize.is_parametrized(linear)
