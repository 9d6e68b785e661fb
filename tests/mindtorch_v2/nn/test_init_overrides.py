"""Tensors of the user's own class are asked before nn.init and nn.utils touch them."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch


@pytest.fixture
def calls():
    return []


@pytest.fixture
def watched(calls):
    class Watched(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            calls.append((func.__name__, len(args), sorted(kwargs or {})))
            return super().__torch_function__(func, types, args, kwargs or {})

    return torch.ones(4, 3).as_subclass(Watched)


@pytest.mark.parametrize(("call", "shown"), [
    (lambda t: torch.nn.init.uniform_(t), ("uniform_", 0, ["a", "b", "generator", "tensor"])),
    (lambda t: torch.nn.init.normal_(t), ("normal_", 0, ["generator", "mean", "std", "tensor"])),
    (lambda t: torch.nn.init.constant_(t, 2.0), ("constant_", 0, ["tensor", "val"])),
    (lambda t: torch.nn.init.kaiming_uniform_(t),
     ("kaiming_uniform_", 0, ["a", "generator", "mode", "nonlinearity", "tensor"]))])
def test_an_initializer_is_shown_with_all_its_arguments_by_name(call, shown, watched, calls):
    assert call(watched) is watched
    assert calls == [shown]


def test_a_vector_of_parameters_keeps_their_class(watched):
    assert type(torch.nn.utils.parameters_to_vector([watched, watched])) is type(watched)
