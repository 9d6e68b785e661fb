"""Tensors of inference mode inside and outside of it, and normal tensors inside."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

from . import leaf

OUTSIDE = "Inplace update to inference tensor outside InferenceMode is not allowed"


def made_in_inference_mode(**options):
    with torch.inference_mode():
        return torch.ones(1, 2, 3, **options)


@pytest.mark.parametrize("look", [lambda t: t.view(-1), lambda t: t[0], lambda t: t.unbind()[0]])
def test_a_view_of_an_inference_tensor_is_followed_by_nobody(look):
    tensor = made_in_inference_mode(requires_grad=True)
    view = look(tensor)
    assert view.is_inference()
    assert not view._is_view()
    assert not view.requires_grad
    assert view.is_leaf


@pytest.mark.parametrize("write", [
    lambda t: t.add_(1), lambda t: t.copy_(torch.zeros(1, 2, 3)), lambda t: t.transpose_(0, 1),
    lambda t: t.resize_(1), lambda t: t.resize_as_(torch.ones(1)), lambda t: t.view(-1).add_(1),
    lambda t: torch.add(torch.ones(1, 2, 3), 1, out=t),
])
def test_an_inference_tensor_is_written_only_in_inference_mode(write):
    tensor = made_in_inference_mode()
    with pytest.raises(RuntimeError, match=OUTSIDE):
        write(tensor)
    with torch.inference_mode():
        write(tensor)
    assert tensor.is_inference()


def test_an_inference_tensor_that_requires_grad_is_resized_in_inference_mode():
    with torch.inference_mode():
        tensor = torch.ones(1, 2, 3, requires_grad=True).resize_(1, 2)
    assert tensor.requires_grad
    with pytest.raises(RuntimeError, match="cannot resize variables that require grad"):
        leaf(1.0).resize_(2)


def test_an_inference_tensor_may_not_take_the_result_of_what_requires_grad():
    tensor, x = made_in_inference_mode(), torch.ones(1, 2, 3, requires_grad=True)
    with pytest.raises(RuntimeError, match="out=... arguments don't support automatic differentiation"):
        torch.mul(x, x, out=tensor)


@pytest.mark.parametrize("write", [lambda t: t.add_(2), lambda t: t.unsqueeze_(0)])
def test_a_view_from_inference_mode_loses_its_history_when_its_base_is_written(write):
    base = leaf(1.0, 2.0).clone()
    with torch.inference_mode():
        view = base.view(-1)
    assert (view.requires_grad, view.is_inference()) == (True, False)
    write(base)
    with pytest.raises(RuntimeError, match="A view was created in inference mode and its base or another view"):
        _ = view.grad_fn
