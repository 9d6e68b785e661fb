"""A name that is not there says so, in every namespace, and in a way that programs which probe for it understand."""

from __future__ import annotations

import copy
import inspect
import pickle

import pytest

import mindtorch_v2 as torch

NAMESPACES = ["", "nn", "nn.functional", "nn.utils", "nn.init", "optim", "optim.lr_scheduler", "autograd", "utils",
              "utils.data", "cuda", "backends", "backends.cudnn", "amp", "library", "profiler", "random", "_C"]


@pytest.mark.parametrize("address", NAMESPACES)
def test_a_missing_name_says_where_it_is_missing(address):
    module = torch
    for part in filter(None, address.split(".")):
        module = getattr(module, part)
    assert not hasattr(module, "no_such_name") and getattr(module, "no_such_name", 3) == 3
    name = ".".join(filter(None, ("torch", address, "no_such_name")))
    with pytest.raises(AttributeError, match=rf"^{name} is not in mindtorch_v2 yet"):
        module.no_such_name  # noqa: B018


def test_python_can_name_what_was_meant():
    with pytest.raises(AttributeError) as caught:
        torch.oness  # noqa: B018
    assert caught.value.name == "oness" and caught.value.obj is torch


def test_tools_that_probe_modules_are_not_disturbed():
    assert not hasattr(torch.nn.functional, "__path__") and not hasattr(torch.nn, "__wrapped__")
    assert inspect.unwrap(torch.nn.functional) is torch.nn.functional
    assert inspect.getsourcefile(torch.nn) and inspect.getmembers(torch.nn.init)
    with pytest.raises(TypeError, match="cannot pickle 'module' object"):
        pickle.dumps(torch.nn)
    with pytest.raises(TypeError):
        copy.deepcopy(torch.nn)
