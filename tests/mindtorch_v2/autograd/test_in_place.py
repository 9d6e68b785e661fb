"""Values overwritten in place: refused, or made part of history."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

from . import leaf


def test_overwritten_saved_value_is_refused():
    x = leaf(1.0, 2.0)
    y = x * 2
    z = y * y
    y.add_(1)
    with pytest.raises(RuntimeError, match=r"modified by an inplace operation: \[torch.FloatTensor \[2\]\], which is "
                                           r"output 0 "
                                           r"of Add, is at version 1; expected version 0 instead"):
        z.sum().backward()


def test_refusal_names_the_history_that_an_overwritten_view_has_now():
    weight = torch.ones(3, 2, requires_grad=True)
    loss = weight.t().exp().sum() + (weight.t() ** 2).sum()
    with torch.no_grad():
        weight.add_(1)
    with pytest.raises(RuntimeError, match="output 0 of AsStrided, is at version 1; expected version 0 instead"):
        loss.backward()


def test_refusal_of_a_custom_function_does_so_too():
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad):
            return 2 * ctx.saved_tensors[0] * grad

    weight = torch.ones(3, 2, requires_grad=True)
    loss = Square.apply(weight.t()).sum()
    weight.data.add_(1)
    loss.backward()  # .data has versions of its own
    loss = Square.apply(weight.t()).sum()
    with torch.no_grad():
        weight.add_(1)
    with pytest.raises(RuntimeError, match="output 0 of AsStrided, is at version"):
        loss.backward()


def test_overwritten_result_is_refused():
    x = leaf(1.0)
    y = torch.exp(x)
    y.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_leaf_that_requires_grad_is_not_written_in_place():
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place "
                                           "operation."):
        leaf(1.0).add_(1)


def test_view_of_a_leaf_is_not_written_in_place():
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad is being used in an in-place"):
        leaf(1.0, 2.0)[0].mul_(2)


def test_leaf_may_be_updated_without_grad():
    x = leaf(1.0)
    with torch.no_grad():
        x -= 0.5
    assert x.item() == 0.5
    assert x.requires_grad


def test_in_place_op_takes_part_in_history():
    x = leaf(2.0)
    y = x * 3
    y.mul_(x)
    y.sum().backward()
    assert x.grad.item() == 12.0


def test_write_into_a_view_reaches_the_base():
    x = leaf(2.0)
    base = torch.zeros(3)
    base[1] = x[0] * 5
    (base * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
    assert base.grad_fn is not None
    assert x.grad.item() == 50.0


def test_write_into_a_view_stops_what_was_overwritten():
    x = leaf(1.0, 2.0, 3.0)
    y = x * 2
    y[0] = 7.0
    y.sum().backward()
    assert x.grad.tolist() == [0.0, 2.0, 2.0]


def test_other_views_see_history_written_through_one():
    x = leaf(2.0)
    base = torch.zeros(2)
    other = base[:1]
    base[0:1].copy_(x)
    other.sum().backward()
    assert x.grad.item() == 1.0


def test_detach_shares_data_and_version():
    x = leaf(1.0, 2.0)
    y = x.detach()
    assert not y.requires_grad
    y[0] = 5.0
    assert x[0].item() == 5.0
    assert x._version == 1


def test_a_saved_value_that_was_detached_in_place_is_refused():
    x = leaf(1.0).clone()
    y = x.sin()
    x.detach_()
    with pytest.raises(RuntimeError, match=r"Trying to use a saved tensor that has been detached in-place"):
        y.backward()
    x = leaf(1.0).clone()
    y = x.exp()  # saves its result
    x.detach_()
    y.backward()


def test_second_derivatives_go_through_what_was_written_into_a_view_once():
    x = torch.tensor([[[[1.0, 3.0]]]], requires_grad=True)
    y = (x * x).view(2).sigmoid_() ** 2
    (first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x)
    s = torch.sigmoid(x.detach() ** 2)
    slope = s * (1 - s)
    curve = slope * (1 - 2 * s)
    v = x.detach()
    assert torch.allclose(first, 2 * s * slope * 2 * v)
    assert torch.allclose(second, 4 * s * slope + 2 * (slope ** 2 + s * curve) * 4 * v ** 2)
