"""How a gradient lies in memory: every element has a place of its own, whatever its tensor and formula look like."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

WEIGHTS = torch.arange(6.0).view(2, 3)
EACH = [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]


def expanded() -> torch.Tensor:
    """A leaf of three rows that lie in one place."""
    return torch.ones(1, 2).expand(3, 2).detach().requires_grad_()


def test_gradient_of_an_expanded_leaf_has_rows_of_its_own():
    x = expanded()
    (x.t() * WEIGHTS).sum().backward()
    assert x.grad.tolist() == EACH
    assert x.grad.stride() == (2, 1)


def test_second_backward_adds_to_each_row():
    x = expanded()
    for _ in range(2):
        (x.t() * WEIGHTS).sum().backward()
    assert x.grad.tolist() == [[2 * value for value in row] for row in EACH]


def test_gradient_that_can_be_differentiated_has_rows_of_its_own():
    x = expanded()
    with pytest.warns(UserWarning, match="create_graph=True"):
        (x.t() * x.t() * WEIGHTS).sum().backward(create_graph=True)
    assert x.grad.tolist() == [[2 * value for value in row] for row in EACH]
    assert x.grad.stride() == (2, 1)


def test_gradient_of_a_leaf_whose_windows_overlap():
    x = torch.arange(4.0).unfold(0, 2, 1).detach().requires_grad_()
    (x * torch.arange(6.0).view(3, 2)).sum().backward()
    assert x.grad.tolist() == [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]


def test_gradient_of_a_transposed_leaf_lies_as_the_leaf_does():
    x = torch.ones(2, 3).t().detach().requires_grad_()
    x.sum().backward()
    assert x.grad.stride() == x.stride() == (1, 3)


def test_gradient_of_a_leaf_with_gaps_lies_row_by_row():
    x = torch.ones(2, 6)[:, ::2].detach().requires_grad_()
    (x.t() * 2).t().sum().backward()
    assert x.grad.stride() == (3, 1)


def test_expanded_gradient_from_a_hook_is_copied():
    x = torch.ones(3, requires_grad=True)
    x.register_hook(lambda grad: torch.ones(1).expand(3))
    x.sum().backward()
    assert x.grad.stride() == (1,)


def test_gradient_kept_for_inputs_that_are_no_leaves_is_a_copy():
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    y.sum().backward(inputs=[y])
    assert y.grad.stride() == (1,)
    assert x.grad is None


def test_inputs_named_twice_get_their_gradient_once():
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    y.sum().backward(inputs=[y, y])
    assert y.grad.tolist() == [1.0, 1.0, 1.0]


def test_inputs_that_are_no_leaves_keep_their_gradient_from_then_on():
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    y.sum().backward(inputs=[y], retain_graph=True)
    assert y.retains_grad
    y.sum().backward()
    assert y.grad.tolist() == [2.0, 2.0, 2.0]


def test_graph_behind_inputs_is_freed():
    x = torch.ones(3, requires_grad=True)
    y = x * x
    y.sum().backward(inputs=[y])
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        (y * y).sum().backward()


def test_expanded_gradient_is_not_added_to_in_place():
    x = torch.ones(3, requires_grad=True)
    x.grad = torch.ones(1).expand(3)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        x.sum().backward()


def test_optimizer_does_not_step_an_expanded_parameter():
    x = torch.ones(1).expand(3).detach().requires_grad_()
    (x * torch.arange(3.0)).sum().backward()
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        torch.optim.SGD([x], lr=0.1).step()
