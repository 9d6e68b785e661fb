"""Views that autograd could not follow a write into: torch's refusals, word for word."""

from __future__ import annotations

import re

import pytest

import mindtorch_v2 as torch

from . import leaf

SEVERAL = ("This view is the output of a function that returns multiple views. Such functions do not allow the output "
           "views to be modified inplace. You should replace the inplace operation by an out-of-place one.")
CUSTOM = ("This view was created inside a custom Function (or because an input was returned as-is) and the autograd "
          "logic to handle view+inplace would override the custom backward associated with the custom Function, "
          "leading to incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of the "
          "custom Function.")


def refuses(text: str):
    return pytest.raises(RuntimeError, match="^" + re.escape(text))


class Flat(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view(-1)

    @staticmethod
    def backward(ctx, grad):
        return grad.view(1, 2)


class Same(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad


@pytest.mark.parametrize(("make", "name"), [
    (lambda x: x.split([1, 1]), "SplitWithSizes"), (lambda x: x.chunk(2), "Split"), (lambda x: x.unbind(), "Unbind"),
    (list, "Unbind")])
def test_one_of_several_views_is_not_written(make, name):
    with refuses(f"Output 0 of {name} is a view and is being modified inplace. {SEVERAL}"):
        make(leaf(1.0, 2.0) * 1)[0].mul_(2)


def test_a_view_of_one_of_several_views_is_not_written_either():
    with refuses(f"Output 0 of View is a view and is being modified inplace. {SEVERAL}"):
        (leaf(1.0, 2.0) * 1).split(1)[0].view(1).mul_(2)


def test_one_of_several_views_may_be_written_where_no_gradient_is_about():
    whole = torch.ones(2)
    whole.split(1)[0].mul_(3)
    assert whole.tolist() == [3.0, 1.0]


def test_view_made_without_grad_is_not_written_with_grad():
    x = leaf(1.0, 2.0) * 1
    with torch.no_grad():
        view = x[0:1]
    with refuses("A view was created in no_grad mode and is being modified inplace with grad mode enabled. Given that "
                 "this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving "
                 "both the view and the inplace either both inside the no_grad block (if you don't want the inplace to "
                 "be tracked) or both outside (if you want the inplace to be tracked)."):
        view.mul_(2)


def test_view_made_in_inference_mode_is_not_written_outside():
    x = leaf(1.0, 2.0) * 1
    with torch.inference_mode():
        view = x[0:1]
    assert not view.is_inference()
    with refuses("A view was created in inference mode and is being modified inplace in normal mode."):
        view.mul_(2)


def test_one_of_several_views_is_not_used_after_its_base_was_written():
    x = leaf(1.0, 2.0) * 1
    part = x.split(1)[0]
    x.mul_(2)
    with refuses(f"Output 0 of Split is a view and its base or another view of its base has been modified inplace. "
                 f"{SEVERAL}"):
        part.sum()


@pytest.mark.parametrize("function", [Flat, Same])
def test_view_made_by_a_custom_function_is_not_written(function):
    made = function.apply(torch.ones(1, 2, requires_grad=True) * 1)
    with refuses(f"Output 0 of {function.__name__} is a view and is being modified inplace. {CUSTOM}"):
        made.add_(1)


def test_inference_tensor_is_not_saved_for_backward():
    with torch.inference_mode():
        x = torch.ones(1)
    assert (x + leaf(1.0)).requires_grad
    with refuses("Inference tensors cannot be saved for backward."):
        x * leaf(1.0)


def test_inference_tensor_has_no_version():
    with torch.inference_mode():
        x = torch.ones(2)
    assert x[0:1].is_inference()
    with refuses("Inference tensors do not track version counter."):
        _ = x._version


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_view_made_without_grad_is_a_leaf_that_wants_a_gradient_if_its_base_does(mode):
    base = leaf(1.0, 2.0)
    with mode():
        view, bits, of_detached = base[0:1], base.view(torch.int32), base.detach()[0:1]
    assert view.requires_grad
    assert view.is_leaf
    assert not bits.requires_grad
    assert not of_detached.requires_grad
    (view * 2).sum().backward()
    assert view.grad.tolist() == [2.0]
