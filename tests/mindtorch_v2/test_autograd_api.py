"""torch.autograd as its users call it: backward, grad, and how its parts meet; autograd/ has the parts by subject."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

from .autograd import Cube, leaf

# -- backward ----------------------------------------------------------------------------------------------------------


def test_backward_fills_grad_of_leaves():
    x = leaf(1.0, 2.0, 3.0)
    (x * x).sum().backward()
    assert x.grad.tolist() == [2.0, 4.0, 6.0]


def test_backward_adds_to_what_is_there():
    x = leaf(1.0, 2.0)
    (x * 3).sum().backward()
    (x * 3).sum().backward()
    assert x.grad.tolist() == [6.0, 6.0]


def test_backward_takes_a_gradient_for_results_with_many_elements():
    x = leaf(1.0, 2.0)
    (x * x).backward(torch.tensor([1.0, 10.0]))
    assert x.grad.tolist() == [2.0, 40.0]


def test_backward_without_a_gradient_wants_a_single_number():
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar outputs"):
        (leaf(1.0, 2.0) * 2).backward()


def test_backward_of_something_without_history_is_refused():
    with pytest.raises(RuntimeError, match="element 0 of tensors does not require grad and does not have a grad_fn"):
        torch.ones(()).backward()


def test_gradient_of_another_shape_is_refused():
    with pytest.raises(RuntimeError, match="Mismatch in shape: grad_output"):
        (leaf(1.0, 2.0) * 2).backward(torch.ones(3))


def test_broadcast_operands_get_gradients_of_their_own_shape():
    x, b = torch.ones(3, 4, requires_grad=True), torch.ones(4, requires_grad=True)
    (x * b).sum().backward()
    assert x.grad.shape == (3, 4)
    assert b.grad.tolist() == [3.0] * 4


def test_second_backward_through_a_freed_graph_is_refused():
    x = leaf(2.0)
    y = (x * x).sum()
    y.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.backward()


def test_retain_graph_allows_a_second_backward():
    x = leaf(2.0)
    y = (x * x).sum()
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.item() == 8.0


def test_backward_with_inputs_touches_only_those():
    x, w = leaf(1.0), leaf(2.0)
    (x * w).sum().backward(inputs=[w])
    assert x.grad is None
    assert w.grad.item() == 1.0


def test_integers_cannot_require_grad():
    with pytest.raises(RuntimeError, match="only Tensors of floating point dtype can require gradients"):
        torch.ones(2, dtype=torch.int64).requires_grad_(True)


# -- grad --------------------------------------------------------------------------------------------------------------


def test_grad_returns_gradients_and_leaves_dot_grad_alone():
    x = leaf(3.0)
    (g,) = torch.autograd.grad((x * x).sum(), x)
    assert g.item() == 6.0
    assert x.grad is None


def test_grad_of_an_unused_input_is_refused_unless_allowed():
    x, unused = leaf(1.0), leaf(1.0)
    with pytest.raises(RuntimeError, match="The differentiated Tensor at index 1 appears to not have been used in "
                                           "the graph"):
        torch.autograd.grad((x * 2).sum(), [x, unused])
    assert torch.autograd.grad((x * 2).sum(), [x, unused], allow_unused=True)[1] is None
    assert torch.autograd.grad((x * 2).sum(), [x, unused], materialize_grads=True)[1].item() == 0.0


def test_grad_with_respect_to_an_intermediate_result():
    x = leaf(2.0)
    y = x * x
    (g,) = torch.autograd.grad((y * 5).sum(), y)
    assert g.item() == 5.0


def test_create_graph_gives_second_derivatives():
    x = leaf(2.0)
    (first,) = torch.autograd.grad((x * x * x).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x)
    assert (first.item(), second.item()) == (12.0, 12.0)


def test_create_graph_reaches_any_order():
    x = leaf(2.0)
    y = x * x * x * x
    for expected in (32.0, 48.0, 48.0, 24.0):
        (y,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        assert y.item() == expected


# -- together: functions, hooks, modes, views and writes in one graph --------------------------------------------------


def test_a_custom_function_a_hook_and_a_branch_without_grad_meet_in_one_backward():
    x = leaf(2.0)
    with torch.no_grad():
        weight = x * 10
    y = Cube.apply(x)
    y.register_hook(lambda grad: grad / 2)
    (y * weight + x).sum().backward()
    assert weight.grad_fn is None and x.grad.item() == 20.0 / 2 * 12.0 + 1


def test_steps_in_place_between_backwards_go_downhill():
    x, seen = leaf(3.0, -2.0), []
    x.register_post_accumulate_grad_hook(lambda leaf: seen.append(leaf.grad.tolist()))
    for _ in range(2):
        (x * x).sum().backward()
        with torch.no_grad():
            x -= 0.5 * x.grad
        x.grad = None
    assert seen == [[6.0, -4.0], [0.0, 0.0]] and x.tolist() == [0.0, 0.0]


def test_numbers_agree_through_views_writes_and_custom_functions():
    def program(x):
        y = x.clone()
        y[1:] = Cube.apply(x[:-1])
        return y.view(2, 2).mT * x[0]

    x = torch.tensor([0.5, -1.0, 2.0, 0.1], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(program, (x,)) and torch.autograd.gradgradcheck(program, (x,))


def test_the_graph_names_each_step_and_detach_cuts_it():
    x = leaf(1.0, 2.0)
    y = Cube.apply(x).sum()
    steps, node = [], y.grad_fn
    while node is not None:
        steps.append(node.name())
        node = node.next_functions[0][0] if node.next_functions else None
    assert steps == ["SumBackward0", "CubeBackward", "torch::autograd::AccumulateGrad"]
    assert y.detach().grad_fn is None and y.detach().requires_grad is False
