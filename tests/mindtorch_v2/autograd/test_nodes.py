"""Nodes in the user's hands: called alone, asked for what arrives, with hooks at every turn."""

import warnings

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import _C


def leaf(*values):
    return torch.tensor(values or (1.0, 2.0), requires_grad=True)


def test_a_node_can_be_gone_through_alone():
    x = leaf()
    node = (x**2).grad_fn
    assert node(torch.ones(2)).tolist() == [2.0, 4.0]
    assert node(None) is None
    with pytest.raises(TypeError, match="expected 1 arguments, got 2 instead"):
        node(x.detach(), x.detach())


def test_a_node_knows_what_arrives():
    var, _ = torch.var_mean(torch.ones(3, 4, dtype=torch.float64, requires_grad=True), dim=0)
    known = var.grad_fn._input_metadata
    assert [(m.shape, m.dtype, m.device.type, m.is_nested_tensor) for m in known] \
        == [([4], torch.float64, "cpu", False)] * 2


def test_a_sequence_number_can_be_set():
    node = leaf().exp().grad_fn
    node._set_sequence_nr(5)
    assert node._sequence_nr() == 5


def test_hooks_on_a_leaf_run_before_and_after_its_gradient_is_added():
    tensor, order = leaf(), []
    node = tensor.view_as(tensor).grad_fn.next_functions[0][0]
    tensor.register_hook(lambda grad: order.append("tensor") or grad - 2)
    node.register_prehook(lambda grads: order.append("before") or (grads[0] / 5,))
    tensor.register_post_accumulate_grad_hook(lambda t: t.grad.add_(0.5) is None or order.append("added"))
    node.register_hook(lambda found, given: order.append("after") or setattr(tensor, "grad", given[0].mul(10)))
    tensor.sum().backward()
    assert order == ["tensor", "before", "added", "after"]
    assert tensor.grad.tolist() == pytest.approx([3.0, 3.0])  # what was shown to the last hook is the gradient itself


def test_a_hook_is_called_where_nothing_arrives():
    parts, seen = leaf().unbind(), []
    parts[0].register_hook(seen.append)
    parts[1].backward()
    assert seen == [None]


def test_a_hook_that_was_set_while_its_node_ran_is_not_shown_what_arrived():
    seen = []

    def unpack(tensor):
        _C._current_autograd_node().register_hook(lambda found, given: seen.append(given))
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, unpack):
        leaf().exp().sum().backward()
    assert seen == [(None,)]


def test_hooks_that_a_pass_enters_or_leaves_are_undone():
    hooks = torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t)
    inner = torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: (hooks.__enter__(), t)[1])
    with inner:
        leaf().sin().sum().backward()
    leaf().exp().grad_fn._raw_saved_result.register_hooks(lambda t: t, lambda t: t)  # no pair is set yet


def test_a_retained_gradient_is_that_of_the_tensor_as_it_is_now():
    x = leaf(1.0).clone()
    x.retain_grad()
    x.mul_(2)
    x.sum().backward()
    assert x.grad.tolist() == [1.0]
    base = leaf(1.0).clone()
    view = base[:]
    view.retain_grad()
    view.mul_(2)
    view.sum().backward()
    assert view.grad.tolist() == [1.0]


def test_a_function_may_take_its_gradients_in_a_list():
    class Boxed(torch.autograd.Function):
        boxed_grads_call = True

        @staticmethod
        def forward(ctx, x):
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, grads):
            first, second = grads
            grads.clear()
            return first * 2 + second * 3

    x = leaf()
    a, b = Boxed.apply(x)
    assert a.grad_fn.apply(torch.ones(2), torch.ones(2)).tolist() == [5.0, 5.0]
    (a.sum() + b.sum()).backward()
    assert x.grad.tolist() == [5.0, 5.0]


def test_missing_gradients_of_results_without_any_stay_missing_on_demand():
    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            second = x.clone()
            ctx.mark_non_differentiable(second)
            ctx._materialize_non_diff_grads = False
            return x.clone(), second

        @staticmethod
        def backward(ctx, first, second):
            assert second is None
            return first

    Two.apply(leaf())[0].sum().backward()


def test_arguments_of_a_function_are_checked_as_pythons_are():
    class Add(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x + y

    with pytest.raises(TypeError, match=r"forward\(\) got an unexpected keyword argument 'bad'"):
        Add.apply(leaf(), bad=1)
    with pytest.raises(TypeError, match=r"forward\(\) got multiple values for argument 'y'"):
        Add.apply(leaf(), leaf(), y=1)


def test_no_gradient_comes_through_where_it_is_undefined():
    x = leaf()
    _C._functions.UndefinedGrad()(x.exp()).sum().backward()
    assert x.grad is None
    (refused,) = (_C._functions.DelayedError(b"not twice", 1)(x),)
    with pytest.raises(RuntimeError, match="not twice"):
        refused.sum().backward()


def test_the_call_of_a_failed_node_is_told_under_anomaly_detection():
    with pytest.warns(UserWarning, match="Error detected in PowBackward0. Traceback of forward call"), \
            pytest.raises(RuntimeError, match="modified by an inplace operation"), torch.autograd.detect_anomaly():
        d = leaf() + 1
        out = d**2
        d += 1
        out.sum().backward()


def test_a_node_that_was_made_before_detection_has_no_call_to_tell():
    out = (leaf(0.0) * 0).sqrt() * 0
    with pytest.warns(UserWarning, match="No forward pass information available"), \
            pytest.raises(RuntimeError, match="Function 'SqrtBackward0' returned nan values in its 0th output"), \
            torch.autograd.detect_anomaly():
        out.sum().backward()


def test_gradients_of_a_batch_are_found_one_by_one():
    x = leaf()
    (found,) = torch.autograd.grad(x**2, x, torch.eye(2), is_grads_batched=True)
    assert found.tolist() == [[2.0, 0.0], [0.0, 4.0]]
    with pytest.raises(RuntimeError, match="interpret the first dimension of each grad_output as the batch dimension"):
        torch.autograd.grad(x**2, x, torch.ones(3), is_grads_batched=True)


def test_zeros_in_the_place_of_missing_gradients_can_be_differentiated_again():
    x, a = leaf(0.5), leaf(1.0)
    (first,) = torch.autograd.grad(x * a, x, create_graph=True)
    (second,) = torch.autograd.grad(first, x, create_graph=True, materialize_grads=True)
    (third,) = torch.autograd.grad(second, x, materialize_grads=True)
    assert (second.item(), second.requires_grad, third.item(), third.requires_grad) == (0.0, True, 0.0, False)


def test_names_in_complaints_keep_the_variant_of_an_op():
    out = torch.ones(3, 4, requires_grad=True).sum(dim=1)
    product = out * out
    with torch.no_grad():
        out += 1
    with pytest.raises(RuntimeError, match="output 0 of Sum1,"):
        product.backward(torch.ones(3))


def test_whether_warnings_are_given_every_time_is_remembered():
    torch.set_warn_always(True)
    assert torch.is_warn_always_enabled()
    torch.set_warn_always(False)
    with pytest.raises(RuntimeError, match="setWarnOnlyOnce expects a bool, but got int"):
        torch.set_warn_always(1)


def test_what_unpack_hooks_give_back_has_the_history_of_what_was_packed():
    x = leaf(0.5)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: t.clone()):
        y = (x.sin() * x).exp()
        (first,) = torch.autograd.grad(y, x, create_graph=True)
        first.backward()
    plain = leaf(0.5)
    (first,) = torch.autograd.grad((plain.sin() * plain).exp(), plain, create_graph=True)
    first.backward()
    assert torch.allclose(x.grad, plain.grad)


def test_hooks_see_each_saved_tensor_once_and_no_numbers():
    seen = []
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: seen.append(tuple(t.shape)) or t):
        a, b = torch.ones(2, 3, requires_grad=True), torch.ones(3, 2, requires_grad=True)
        ((a @ b) * 2.0).sum().backward()
    assert sorted(seen) == [(2, 3), (3, 2)]


def test_saved_tensors_can_be_kept_by_hand():
    x = leaf()
    with torch.autograd.graph.saved_tensors_hooks(lambda t: "packed", lambda kept: torch.zeros(2)):
        handle = _C._autograd._make_saved_tensor(x, is_output=False)
    assert (handle.data, handle.unpack().tolist()) == ("packed", [0.0, 0.0])
    with pytest.raises(RuntimeError, match="Trying to create a SavedTensor object from Python is forbidden"):
        torch.autograd.SavedTensor()


def test_handles_on_what_a_function_saved():
    class Save(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x, None)
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad

    first, second = Save.apply(leaf()).grad_fn._raw_saved_tensors
    assert first.unpack().tolist() == [1.0, 2.0] and second.unpack() is None
    with pytest.raises(RuntimeError, match="value None is forbidden"):
        second.register_hooks(lambda t: t, lambda t: t)
    with pytest.raises(TypeError, match="incompatible function arguments"):
        first.register_hooks(lambda t: t)


def test_an_index_of_the_graph_keeps_its_tensors_one_by_one():
    node = torch.ones(2, 2, requires_grad=True)[:, torch.tensor([0, 1])].grad_fn
    handles = node._raw_saved_indices
    handles[1].register_hooks(lambda t: t, lambda t: t)
    with pytest.raises(RuntimeError, match="value None is forbidden"):
        handles[0].register_hooks(lambda t: t, lambda t: t)


def test_old_names_still_answer():
    from mindtorch_v2.autograd._functions import Resize
    assert Resize.apply(torch.ones(2, 3, requires_grad=True), (3, 2)).shape == (3, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert torch.autograd.function.InplaceFunction(True).inplace is True


@pytest.mark.parametrize(("returned", "error", "text"), [
    ((), RuntimeError, r"hook 'hook' has returned an incorrect number of values \(got 0, but expected 1\)"),
    (3, TypeError, "expected tuple, but hook returned 'int'"),
    ((3,), TypeError, "expected Variable, but hook returned 'int'"),
    ((torch.ones(3),), RuntimeError, "hook 'hook' has changed the size of value"),
])
@pytest.mark.parametrize("kind", ["register_hook", "register_prehook"])
def test_hooks_on_nodes_return_as_many_gradients_as_there_are(kind, returned, error, text):
    def hook(*args):
        return returned

    result = leaf().exp()
    getattr(result.grad_fn, kind)(hook)
    with pytest.raises(error, match=text):
        result.sum().backward()
