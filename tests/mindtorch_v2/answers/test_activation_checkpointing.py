"""Modules that torch.distributed puts around modules so that their activations are computed again."""

from __future__ import annotations

from functools import partial

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import nn
from mindtorch_v2.distributed.algorithms._checkpoint.checkpoint_wrapper import (
    CheckpointImpl,
    CheckpointWrapper,
    apply_activation_checkpointing,
    checkpoint_wrapper,
    offload_wrapper,
)
from mindtorch_v2.distributed.fsdp.wrap import (
    CustomPolicy,
    ModuleWrapPolicy,
    enable_wrap,
    size_based_auto_wrap_policy,
    wrap,
)


def model() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 2), nn.ReLU()), nn.ModuleList([nn.Linear(2, 2)]))


def wrapped_names(module: nn.Module) -> list[str]:
    return [name.replace("._checkpoint_wrapped_module", "") for name, part in module.named_modules()
            if isinstance(part, CheckpointWrapper)]


@pytest.mark.parametrize("options,names", [
    ({"auto_wrap_policy": ModuleWrapPolicy({nn.Linear})}, ["0", "1.0", "2.0"]),
    ({"check_fn": lambda module: isinstance(module, nn.ReLU)}, ["1.1"]),
    ({"auto_wrap_policy": partial(size_based_auto_wrap_policy, min_num_params=6)}, ["0", "1.0", "2.0"]),
    ({"auto_wrap_policy": CustomPolicy(lambda module: {"preserve_rng_state": False} if type(module) is nn.ReLU
                                       else False)}, ["1.1"]),
    ({}, ["0", "1", "1.0", "1.1", "2", "2.0"]),
])
def test_a_policy_says_which_modules_are_wrapped(options, names):
    net = model()
    apply_activation_checkpointing(net, **options)
    assert wrapped_names(net) == names


@pytest.mark.parametrize("wrapper", [
    checkpoint_wrapper,
    partial(checkpoint_wrapper, checkpoint_impl=CheckpointImpl.REENTRANT),
    offload_wrapper,
])
def test_a_wrapped_module_has_the_gradients_of_the_module(wrapper):
    plain, wrapped = model()[:2], model()[:2]
    wrapped[1] = wrapper(wrapped[1])
    x = torch.randn(3, 2, requires_grad=True)
    plain(x).sum().backward()
    wrapped(x).sum().backward()
    for expected, parameter in zip(plain.parameters(), wrapped.parameters()):
        assert torch.equal(expected.grad, parameter.grad)


def test_arguments_by_name_reach_the_module_in_either_form():
    class Scaled(nn.Linear):
        def forward(self, x, *, scale):
            return super().forward(x) * scale

    for form in CheckpointImpl:
        layer = checkpoint_wrapper(Scaled(2, 2), form)
        layer(torch.ones(1, 2, requires_grad=True), scale=torch.tensor(3.0)).sum().backward()
        assert layer.weight.grad.tolist() == [[3, 3], [3, 3]]


def test_checkpoints_do_not_know_the_wrapper():
    plain, wrapped = nn.Sequential(nn.Linear(2, 2)), nn.Sequential(checkpoint_wrapper(nn.Linear(2, 2)))
    assert list(wrapped.state_dict()) == list(plain.state_dict()) == ["0.weight", "0.bias"]
    wrapped.load_state_dict(plain.state_dict())
    assert torch.equal(wrapped[0].weight, plain[0].weight)
    assert [name for name, _ in wrapped[0].named_parameters()] == ["weight", "bias"]


def test_wrap_waits_for_enable_wrap():
    layer = nn.ReLU()
    assert wrap(layer) is layer
    with enable_wrap(wrapper_cls=CheckpointWrapper, preserve_rng_state=False):
        assert wrap(layer)._checkpoint_wrapped_module is layer


def test_a_custom_policy_must_answer():
    with pytest.raises(ValueError, match="should return False/True or a kwarg dict, but it returned 3"):
        apply_activation_checkpointing(model(), auto_wrap_policy=CustomPolicy(lambda module: 3))
