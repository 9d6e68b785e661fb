"""Nodes as users see them: their classes, and the history of views whose base was written."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

from . import Cube, leaf

Node = torch.autograd.graph.Node


def test_every_op_has_a_class_of_nodes_that_is_named_after_it():
    x = leaf(1.0, 2.0)
    first, second, third = x.exp().grad_fn, (x * 2).exp().grad_fn, (x * x).grad_fn
    assert type(first) is type(second)
    assert (type(first).__name__, type(third).__name__) == ("ExpBackward0", "MulBackward0")
    assert type(second.next_functions[0][0]).__name__ == "MulBackward0"
    assert type(first.next_functions[0][0]).__name__ == "AccumulateGrad"
    assert type(Cube.apply(x).grad_fn).__name__ == "CubeBackward"


def test_a_node_that_was_looked_at_still_works():
    x = leaf(1.0, 2.0)
    y = x * x
    assert type(y.grad_fn).__name__ == "MulBackward0"
    assert y.grad_fn._saved_self is x
    y.sum().backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_the_node_at_work_is_of_its_ops_class():
    x, seen = leaf(1.0), []
    y = x.exp()
    y.grad_fn.register_prehook(lambda grads: seen.append(type(torch._C._current_autograd_node()).__name__))
    y.backward()
    assert seen == ["ExpBackward0"]


@pytest.mark.parametrize("kind", [lambda x: x.exp(), Cube.apply, lambda x: x.clone().mul_(2), lambda x: x[0:1]])
def test_nodes_are_instances_of_a_class_that_is_no_base_of_theirs(kind):
    node = kind(leaf(1.0)).grad_fn
    assert isinstance(node, Node)
    assert issubclass(type(node), Node)
    assert Node not in type(node).mro()
    assert isinstance(node.next_functions[0][0], Node)


def test_other_things_are_no_nodes():
    assert not isinstance(None, Node)
    assert not isinstance(Node, Node)
    assert not isinstance(torch._C._functions.AccumulateGrad, Node)
    for kind in (torch._C._functions.AccumulateGrad, torch._C._functions.DelayedError,
                 torch.autograd.function.BackwardCFunction):
        assert issubclass(kind, Node)


def test_a_view_whose_base_was_written_shows_its_new_history():
    base = leaf(1.0, 2.0).clone()
    view, plain = base.view(2), torch.zeros(2)
    of_plain = plain[0:1]
    base.mul_(2)
    plain.mul_(leaf(3.0, 4.0))
    assert view.grad_fn.name() == of_plain.grad_fn.name() == "AsStridedBackward0"
    assert not of_plain.is_leaf


def test_a_view_that_lost_its_history_is_printed_as_such():
    base = leaf(1.0)
    with torch.no_grad():
        view = base[:]
        view *= 2
    assert repr(view) == "tensor([2.], grad_fn=<Invalid>)"
    with pytest.raises(RuntimeError, match="A view was created in no_grad mode and its base or another view"):
        _ = view.grad_fn


def test_what_a_tensor_keeps_of_autograd_cannot_be_deleted():
    x = leaf(1.0)
    for name, text in {"data": "Deleting tensor data is not allowed. Delete tensor instead!",
                       "requires_grad": "requires_grad must be a bool",
                       "_grad_fn": "Deletion of _grad_fn not allowed. Detach tensor instead!",
                       "_backward_hooks": "Deletion of _backwards_hooks not allowed!"}.items():
        with pytest.raises(RuntimeError, match=text):
            delattr(x, name)


def test_hooks_of_a_tensor_can_be_read_and_given_as_a_dict():
    x, seen = leaf(1.0), []
    assert x._backward_hooks is None
    handle = x.register_hook(seen.append)
    assert list(x._backward_hooks) == [handle.id]
    x._backward_hooks = {0: lambda grad: grad * 3}
    x.sum().backward()
    assert (seen, x.grad.tolist()) == ([], [3.0])


def test_what_a_node_saved_is_found_under_torchs_names():
    x, convolution = torch.ones(1, 1, 3, 3, requires_grad=True), torch.nn.Conv2d(1, 1, 3)
    node = convolution(x).grad_fn
    assert (node._saved_bias_sym_sizes_opt, node._saved_weight_sym_sizes, node._saved_groups) == ((1,), (1, 1, 3, 3), 1)
    assert torch.nn.Conv2d(1, 1, 3, bias=False)(x).grad_fn._saved_bias_sym_sizes_opt == (0,)
    columns = torch.nn.functional.unfold(x, 2).grad_fn
    assert (columns._saved_self_sym_argsize_minus_2, columns._saved_self_sym_argsize_0) == (3, 1)
    product = (torch.ones(3, 2, requires_grad=True).t() @ torch.ones(3, 2, requires_grad=True)).grad_fn
    assert (product._saved_self_sym_sizes, product._saved_self_sym_strides) == ((2, 3), (1, 2))
    assert x[:, :, torch.tensor([0, 1])].grad_fn._saved_indices[:2] == (None, None)
    with pytest.raises(AttributeError, match="'Im2ColBackward0' object has no attribute"):
        _ = columns._saved_other_sym_sizes


def test_negative_numbers_are_saved_as_they_are():
    assert torch.softmax(leaf(1.0, 2.0), -1).grad_fn._saved_dim == -1


def test_a_node_lists_what_it_saved():
    x = leaf(1.0, 2.0)
    listed = [[name for name in dir(t.grad_fn) if "saved" in name] for t in (x * x, x.exp(), x.sum(0))]
    assert listed == [["_raw_saved_other", "_raw_saved_self", "_saved_other", "_saved_self"],
                      ["_raw_saved_result", "_saved_result"], ["_saved_dim", "_saved_keepdim", "_saved_self_sym_sizes"]]


def test_the_owners_of_a_tensor_are_counted():
    x = leaf(1.0, 2.0)
    assert x._use_count() == 1
    doubled, square = x * 2, x * x
    assert (x._use_count(), doubled._use_count()) == (4, 1)  # all graphs count once, what is saved by each place
    del square
    view = x.view(-1)
    assert x._use_count() == 3
    doubled.sum().backward()
    del doubled, view
    assert x._use_count() == 1
