"""Hooks on what autograd saves, on several gradients at once, and what a node shows of what it saved."""

from __future__ import annotations

import weakref

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.autograd import graph

from . import leaf


def test_saved_tensors_go_through_the_hooks_and_come_back():
    x, seen = leaf(1.0, 1.0), []

    def pack(tensor):
        seen.append((tensor.is_leaf, tensor.requires_grad))
        return tensor * 5

    with graph.saved_tensors_hooks(pack, lambda kept: kept + 1):
        y = (x * x).exp()
    assert seen == [(True, True), (True, True), (False, True)]  # twice x, and the result of exp with its history
    (y * 1).sum().backward()
    assert x.grad[0].item() == pytest.approx(2 * 6 * (5 * 2.718281828 + 1))


def test_the_innermost_hooks_are_asked():
    x = leaf(1.0)
    inner = graph.saved_tensors_hooks(lambda t: t * 7, lambda t: t)
    with graph.saved_tensors_hooks(lambda t: t * 5, lambda t: t), inner:
        y = x * x
    y.sum().backward()
    assert x.grad.item() == 14.0


def test_custom_functions_save_through_the_hooks():
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.saved_tensors[0]

    x = leaf(1.0)
    with graph.saved_tensors_hooks(lambda t: t * 5, lambda t: t + 1):
        y = Twice.apply(x)
    y.sum().backward()
    assert x.grad.item() == 6.0


def test_unpack_hook_must_bring_back_a_tensor():
    with graph.saved_tensors_hooks(lambda t: "away", lambda kept: kept):
        y = leaf(1.0).exp()
    with pytest.raises(TypeError, match="Output of saved tensor unpack_hook expected to be a Tensor but got result of "
                                        "type str"):
        y.sum().backward()


def test_pack_hook_must_not_write():
    with pytest.raises(RuntimeError, match="A saved tensor pack hook is modifying its input in place."), \
            graph.saved_tensors_hooks(lambda t: t.add_(1), lambda kept: kept):
        leaf(1.0) * leaf(2.0)


def test_hooks_can_be_forbidden():
    with graph.disable_saved_tensors_hooks("not here"), pytest.raises(RuntimeError, match="not here"), \
            graph.save_on_cpu():
        pass


def test_saved_tensors_may_be_overwritten_where_that_is_allowed():
    x = leaf(3.0)
    a = x * 1
    with graph.allow_mutation_on_saved_tensors():
        b = a**2
        a.mul_(5)
        b.sum().backward()
        late = (x * x).sum()
    assert x.grad.item() == 6.0
    with pytest.raises(AssertionError, match="Trying to backward outside of the 'allow_mutation_on_saved_tensors'"):
        late.backward()


def test_hook_on_several_gradients_is_called_once_a_pass():
    x, y, seen = leaf(1.0), leaf(1.0), []
    handle = graph.register_multi_grad_hook(
        (x, y), lambda grads: seen.append([None if g is None else g.item() for g in grads]))
    (x * 2).sum().backward()
    (x * 2 + y).sum().backward()
    handle.remove()
    (x * 2 + y).sum().backward()
    assert seen == [[2.0, None], [2.0, 1.0]]


def test_hook_on_any_of_several_gradients_sees_the_first():
    x, y, seen = leaf(1.0), leaf(1.0), []
    graph.register_multi_grad_hook((x, y), lambda grad: seen.append(grad.item()), mode="any")
    (x * 2).sum().backward()
    (x * 2 + y).sum().backward()
    assert seen == [2.0, 1.0]


def test_hook_on_several_gradients_keeps_neither_them_nor_the_graph_alive():
    x, seen = leaf(1.0), []
    one, other = x * 2, x * 3
    graph.register_multi_grad_hook((one, other), lambda grads: seen.extend(map(weakref.ref, grads)))
    (one + other).sum().backward()
    node = weakref.ref(one.grad_fn)
    del one, other
    assert [grad() for grad in seen] == [None, None] and node() is None


def test_node_shows_what_it_saved_until_it_is_freed():
    x = leaf(1.0, 2.0)
    y = x.exp()
    node = y.grad_fn
    assert node._saved_result.grad_fn is node
    assert torch.equal(node._saved_result, y)
    assert x.view(1, 2).grad_fn._saved_self_sym_sizes == (2,)
    assert (x * 2).grad_fn._saved_self is None
    with pytest.raises(AttributeError, match="'ExpBackward0' object has no attribute '_saved_other'"):
        _ = node._saved_other
    y.sum().backward()
    with pytest.raises(RuntimeError, match="directly access saved tensors after they have already been freed"):
        _ = node._saved_result


def test_gradient_edge_stands_for_its_tensor():
    x = leaf(1.0)
    y = (x * 3).sum()
    assert torch.autograd.grad(y, graph.get_gradient_edge(x), retain_graph=True)[0].item() == 3.0
    torch.autograd.backward(graph.get_gradient_edge(y))
    assert x.grad.item() == 3.0


def test_hooks_can_be_set_on_one_saved_tensor_alone():
    x = leaf(1.0, 1.0)
    y = x * x
    raw = y.grad_fn._raw_saved_self
    assert raw.data is x and isinstance(raw, torch._C._autograd.SavedTensor)
    raw.register_hooks(lambda kept: kept, lambda kept: kept * 3)
    with pytest.raises(RuntimeError, match="hooks have already been set"):
        y.grad_fn._raw_saved_self.register_hooks(lambda kept: kept, lambda kept: kept)
    other = y.grad_fn._raw_saved_other
    y.sum().backward()
    assert x.grad.tolist() == [4.0, 4.0]
    with pytest.raises(RuntimeError, match="Calling register_hooks on a saved tensor after it has been freed"):
        other.register_hooks(lambda kept: kept, lambda kept: kept)


def test_hooks_can_be_set_on_a_saved_result():
    x = leaf(0.0)
    y = x.exp()
    y.grad_fn._raw_saved_result.register_hooks(lambda kept: kept * 5, lambda kept: kept + 1)
    y.sum().backward()
    assert x.grad.item() == 6.0


def test_what_is_no_tensor_has_no_raw_form():
    with pytest.raises(AttributeError, match="'SumBackward1' object has no attribute '_raw_saved_dim'"):
        _ = leaf(1.0).sum(0).grad_fn._raw_saved_dim
    with pytest.raises(RuntimeError, match="forbidden"):
        torch._C._autograd.SavedTensor()


def test_what_hooks_packed_away_is_let_go_of_after_a_pass():
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        x = torch.ones(2, requires_grad=True)
        product = x * x
    product.sum().backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        product.sum().backward()


def test_saved_tensors_are_copied_only_when_they_are_about_to_be_written():
    with torch.autograd.graph.allow_mutation_on_saved_tensors() as context:
        a = torch.ones(2, requires_grad=True)
        b = a.clone()
        out = (b * b).sum()
        assert (len(context.tid_to_weakhandle), len(context.cloned)) == (1, 0)
        b.sin_()
        assert len(context.cloned) == 1
        out.backward()
        assert len(context.cloned) == 0
    assert a.grad.tolist() == [2.0, 2.0]


def test_lists_that_are_written_in_place_keep_their_history_under_a_mode():
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        a = torch.ones(2, requires_grad=True)
        b = a.clone()
        out = (b * b).sum()
        torch._foreach_mul_([b], 3)
        (out + b.sum()).backward()
    assert a.grad.tolist() == [5.0, 5.0]


@pytest.mark.parametrize("product", [torch.mm, lambda x, w: torch.addmm(torch.zeros(2), x, w), torch.matmul])
def test_a_factor_that_no_gradient_needs_may_be_written_before_backward(product):
    x, w = torch.ones(3, 4), torch.ones(4, 2, requires_grad=True)
    result = product(x, w)
    with torch.no_grad():
        w.mul_(2)
    result.sum().backward()
    assert w.grad.tolist() == [[3.0, 3.0]] * 4


def test_a_factor_that_no_gradient_needs_is_not_kept():
    kept = []
    x, w = torch.ones(3, 4), torch.ones(4, 2, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: kept.append(t) or t, lambda t: t):
        torch.mm(x, w)
    assert len(kept) == 1 and kept[0] is x


def named(tensor):
    return tensor.reshape(-1)[0].item()


def test_hooks_are_called_in_the_order_of_names_and_before_the_op_runs():
    x, y, seen = leaf(1.0), leaf(2.0), []

    def pack(tensor):
        seen.append(named(tensor))
        raise KeyError

    with pytest.raises(KeyError), graph.saved_tensors_hooks(pack, lambda kept: kept):
        torch.mul(x, y)  # mul(self, other)
    assert seen == [2.0]


def test_everything_a_node_saved_is_brought_back_whichever_gradient_is_wanted():
    x, y, seen = leaf(1.0), leaf(2.0), []
    with graph.saved_tensors_hooks(lambda t: t, lambda t: seen.append(named(t)) or t):
        result = torch.mul(x, y)
    torch.autograd.grad(result, x)
    assert seen == [2.0, 1.0]


def test_a_device_that_a_hook_enters_is_heeded_in_backward():
    x, made = leaf(1.0), []

    def unpack(tensor):
        with torch.device("meta"):
            made.append(torch.zeros(1).device.type)
        return tensor

    with graph.saved_tensors_hooks(lambda t: t, unpack):
        result = x.sin()
    with torch.device("cpu"):
        result.backward()
    assert made == ["meta"]
