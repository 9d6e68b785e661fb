"""Optimizers as functions of lists: a step of each equals that of its class, which is held to PyTorch's."""

from __future__ import annotations

import importlib
import inspect

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.optim._functional import FORMS, PAIRS

STEPS = 3
OPTIONS = {"SGD": {"momentum": 0.9}, "RMSprop": {"momentum": 0.9, "centered": True}, "Adam": {"amsgrad": True}}


def new_params() -> list:
    return [torch.arange(4.0) + 1, torch.arange(6.0).view(2, 3) - 2]


def options_of(optimizer, signature) -> dict:
    """What the function takes of the options of an optimizer's group."""
    group = dict(optimizer.param_groups[0])
    for pair, (first, second) in PAIRS.items():
        if first in signature.parameters:
            group[first], group[second] = group[pair]
    return {name: group[name] for name, p in signature.parameters.items() if p.kind == p.KEYWORD_ONLY}


@pytest.mark.parametrize("foreach", [False, True])
@pytest.mark.parametrize(("name", "rule", "parameters", "entries"), FORMS, ids=[form[0] for form in FORMS])
def test_function_steps_as_its_class_does(name, rule, parameters, entries, foreach):
    params, copies = new_params(), new_params()
    optimizer = rule(params, **OPTIONS.get(rule.__name__, {}), foreach=foreach)
    update = getattr(importlib.import_module(rule.__module__), name)
    lists: list[list] = [[] for _ in entries]
    for step in range(STEPS):
        for p in params:
            p.grad = p * 0.3 + step
        before = [p.clone() for p in params]
        if step:  # the state that the first step of the class made
            with torch.no_grad():
                update(copies, [p * 0.3 + step for p in copies], *lists, foreach=foreach,
                       **options_of(optimizer, inspect.signature(update)))
        optimizer.step()
        if not step:
            lists = [[optimizer.state[p].get(entry) for p in params] for entry in entries.values()]
            lists = [[None if value is None else value.clone() for value in values] for values in lists]
            copies = [p.clone() for p in params]
        assert not torch.equal(before[0], params[0])
        for p, other in zip(params, copies):
            torch.testing.assert_close(p, other, rtol=0, atol=0)


def test_sgd_fills_in_the_momentum_of_a_first_step():
    params, buffers = [torch.ones(2)], [None]
    torch.optim.sgd.sgd(params, [torch.ones(2)], buffers, weight_decay=0, momentum=0.9, lr=0.1, dampening=0,
                        nesterov=False, maximize=False)
    assert buffers[0].tolist() == [1.0, 1.0]


def test_steps_that_are_numbers_are_refused():
    with pytest.raises(RuntimeError, match="`state_steps` argument must contain a list of singleton tensors"):
        torch.optim.adam.adam([torch.ones(2)], [torch.ones(2)], [torch.zeros(2)], [torch.zeros(2)], [], [1],
                              amsgrad=False, beta1=0.9, beta2=0.99, lr=0.1, weight_decay=0, eps=1e-8, maximize=False)
