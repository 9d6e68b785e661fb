"""Hooks on tensors, leaves and nodes, and gradients kept on the way."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

from . import leaf


def test_hook_sees_and_replaces_the_gradient():
    x = leaf(1.0)
    y = x * 3
    seen = []
    y.register_hook(lambda g: seen.append(g.item()))
    y.register_hook(lambda g: g * 10)
    (y * 2).sum().backward()
    assert seen == [2.0]
    assert x.grad.item() == 60.0


def test_removed_hook_is_not_called():
    x = leaf(1.0)
    handle = x.register_hook(lambda g: g * 100)
    handle.remove()
    (x * 2).sum().backward()
    assert x.grad.item() == 2.0


def test_hook_on_a_leaf_changes_what_is_accumulated():
    x = leaf(1.0)
    x.register_hook(lambda g: g + 1)
    (x * 2).sum().backward()
    assert x.grad.item() == 3.0


def test_hook_that_changes_the_shape_is_refused():
    x = leaf(1.0, 2.0)
    x.register_hook(lambda g: torch.ones(3))
    with pytest.raises(RuntimeError, match="hook '<lambda>' has changed the size of value"):
        (x * 2).sum().backward()


def test_post_accumulate_hook_sees_the_leaf_with_its_gradient():
    x = leaf(1.0)
    seen = []
    x.register_post_accumulate_grad_hook(lambda t: seen.append(t.grad.item()))
    (x * 2).sum().backward()
    assert seen == [2.0]


def test_retain_grad_keeps_the_gradient_of_an_intermediate_result():
    x = leaf(1.0)
    y = x * 2
    y.retain_grad()
    (y * 3).sum().backward()
    assert y.grad.item() == 3.0


def test_grad_of_a_non_leaf_warns():
    y = leaf(1.0) * 2
    with pytest.warns(UserWarning, match="The .grad attribute of a Tensor that is not a leaf Tensor is being accessed"):
        assert y.grad is None


def test_node_hooks_see_gradients_on_both_sides():
    x = leaf(2.0)
    y = x * x
    seen = []
    y.grad_fn.register_prehook(lambda grads: seen.append(("in", grads[0].item())))
    y.grad_fn.register_hook(lambda out, inp: seen.append(("out", [g.item() for g in out if g is not None])))
    y.sum().backward()
    assert seen == [("in", 1.0), ("out", [2.0, 2.0])]
