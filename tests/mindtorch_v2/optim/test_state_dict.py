"""The state of optimisers: as numbers, saved, loaded, hooked."""

from __future__ import annotations

import copy

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import optim

from ..test_optim import parameter, with_gradient


class TestStateDict:
    def trained(self, **options):
        opt = optim.Adam([with_gradient(), with_gradient(3)], lr=0.1, **options)
        opt.step()
        return opt

    def test_parameters_become_numbers(self):
        packed = self.trained().state_dict()
        assert list(packed["state"]) == [0, 1] and packed["param_groups"][0]["params"] == [0, 1]
        assert packed["state"][1]["exp_avg"].shape == (3,)

    def test_sgd_without_momentum_has_no_state(self):
        opt = optim.SGD([with_gradient()])
        opt.step()
        assert opt.state_dict()["state"] == {}

    def test_loaded_optimiser_goes_on_like_the_saved_one(self):
        first = self.trained()
        params = [torch.tensor(p.tolist(), requires_grad=True) for p in first.param_groups[0]["params"]]
        second = optim.Adam(params, lr=0.7)
        second.load_state_dict(copy.deepcopy(first.state_dict()))
        for opt in (first, second):
            for p in opt.param_groups[0]["params"]:
                p.grad = torch.ones(p.shape) * 2
            opt.step()
        assert [p.tolist() for p in params] == [p.tolist() for p in first.param_groups[0]["params"]]

    def test_loaded_values_take_their_parameters_type_but_steps_keep_theirs(self):
        p = torch.zeros(2, dtype=torch.bfloat16, requires_grad=True)
        opt = optim.Adam([p, parameter(3)])
        opt.load_state_dict(self.trained().state_dict())
        assert {name: value.dtype for name, value in opt.state[p].items()} == {
            "step": torch.float32, "exp_avg": torch.bfloat16, "exp_avg_sq": torch.bfloat16}

    def test_nested_values_are_cast_and_text_stays(self):
        first = optim.SGD([parameter()])
        p = first.param_groups[0]["params"][0]
        first.state[p] = {"pair": (1, torch.ones(2, dtype=torch.float64)), "name": "x"}
        first.state["all"] = {"n": 3}
        second = optim.SGD([parameter()])
        second.load_state_dict(first.state_dict())
        found = second.state[second.param_groups[0]["params"][0]]
        assert found["pair"][1].dtype is torch.float32 and found["name"] == "x" and second.state["all"] == {"n": 3}

    def test_options_unknown_to_an_old_save_get_their_old_meaning(self):
        opt = optim.SGD([parameter()], nesterov=False, fused=True)
        opt.load_state_dict({"state": {}, "param_groups": [{"params": [5], "lr": 3}]})
        assert opt.param_groups[0]["fused"] is False and opt.param_groups[0]["lr"] == 3

    @pytest.mark.parametrize("groups, text", [
        ([[1], [1]], "loaded state dict has a different number of parameter groups"),
        ([[1]], "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"),
    ])
    def test_other_shapes_are_refused(self, groups, text):
        opt = optim.Adam([{"params": [parameter() for _ in group]} for group in groups])
        with pytest.raises(ValueError) as caught:
            opt.load_state_dict(self.trained().state_dict())
        assert str(caught.value) == text
