"""Hooks on modules, where programs reach for torch's own tables, and the conversion of parameters."""

import copy
import gc
import pickle
import weakref
from collections import OrderedDict

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import nn


def nothing(*args):
    """A hook that can be pickled."""


def test_global_hooks_are_gone_when_their_table_is_replaced():
    calls = []
    nn.modules.module.register_module_forward_hook(lambda *args: calls.append("called"))
    nn.ReLU()(torch.ones(1))
    nn.modules.module._global_forward_hooks = OrderedDict()
    nn.ReLU()(torch.ones(1))
    assert calls == ["called"]


def test_the_kind_of_global_backward_hooks_can_be_forgotten():
    nn.modules.module.register_module_full_backward_hook(nothing).remove()
    with pytest.raises(RuntimeError, match="Cannot use both regular backward hooks and full backward hooks"):
        nn.modules.module.register_module_backward_hook(nothing)
    nn.modules.module._global_is_full_backward_hook = None
    nn.modules.module.register_module_backward_hook(nothing).remove()
    nn.modules.module._global_is_full_backward_hook = None


def test_hooks_that_are_always_called_are_called_when_an_earlier_hook_fails():
    layer, calls = nn.ReLU(), []

    def fail(*args):
        raise ValueError("before")

    layer.register_forward_pre_hook(fail)
    layer.register_forward_hook(lambda *args: calls.append("always"), always_call=True)
    with pytest.raises(ValueError, match="before"):
        layer(torch.ones(1))
    assert calls == ["always"]


def test_a_hook_on_loading_does_not_keep_its_module_alive():
    gc.disable()
    try:
        layer = nn.Linear(2, 2)
        layer.register_load_state_dict_pre_hook(nothing)
        alive = weakref.ref(layer)
        del layer
        assert alive() is None
    finally:
        gc.enable()


def test_a_hook_on_loading_is_copied_with_its_module():
    seen = []
    layer = nn.Linear(2, 2)
    layer.register_load_state_dict_pre_hook(lambda module, *args: seen.append(module))
    again = copy.deepcopy(layer)
    again.load_state_dict(layer.state_dict())
    assert len(seen) == 1 and seen[0] is again
    layer = nn.Linear(2, 2)
    layer.register_load_state_dict_pre_hook(nothing)
    pickle.loads(pickle.dumps(layer)).load_state_dict(layer.state_dict())


def test_a_vector_is_no_number_unless_it_has_one_element():
    layer = nn.Module()
    layer.limit = nn.Parameter(torch.tensor(0.0))
    with pytest.raises(RuntimeError, match="size mismatch for limit"):
        layer.load_state_dict({"limit": torch.ones(3)})
    layer.load_state_dict({"limit": torch.ones(1)})
    assert layer.limit.item() == 1.0


def test_conversion_makes_new_parameters_on_demand():
    layer = nn.Linear(2, 2)
    layer.weight.grad = torch.ones(2, 2)
    weight = layer.weight
    torch.__future__.set_overwrite_module_params_on_conversion(True)
    try:
        assert torch.__future__.get_overwrite_module_params_on_conversion()
        layer.double()
    finally:
        torch.__future__.set_overwrite_module_params_on_conversion(False)
    assert layer.weight is not weight and weight.dtype is torch.float32
    assert layer.weight.dtype is layer.weight.grad.dtype is torch.float64
    assert layer.float().weight is layer.weight and not torch.__future__.get_swap_module_params_on_conversion()
