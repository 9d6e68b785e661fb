"""What can be asked of a pass in progress, and what a pass is given."""

from __future__ import annotations

import threading

import pytest

import mindtorch_v2 as torch

from . import leaf

_C = torch._C


def test_inputs_by_name_give_gradients_by_name():
    x, y = leaf(2.0), leaf(3.0)
    grads = torch.autograd.grad((x * y).sum(), {"x": x, 1: y})
    assert {key: grad.tolist() for key, grad in grads.items()} == {"x": [3.0], 1: [2.0]}
    (x * y).sum().backward(inputs={"x": x})
    assert x.grad.tolist() == [3.0] and y.grad is None


def test_gradients_of_unused_tensors_are_made_of_zeros_where_asked_but_not_of_edges():
    x = leaf(1.0, 2.0)
    unused = x * 2
    (grad,) = torch.autograd.grad(x.sum(), unused, materialize_grads=True)
    assert grad.tolist() == [0.0, 0.0]
    with pytest.raises(RuntimeError, match="materialize_grads cannot be used when the given input is a GradientEdge"):
        torch.autograd.grad(x.sum(), torch.autograd.graph.get_gradient_edge(unused), materialize_grads=True)


def test_callbacks_run_when_the_pass_is_done_and_may_add_others():
    called = []
    engine = torch.autograd.Variable._execution_engine

    def first():
        called.append("first")
        engine.queue_callback(lambda: called.append("second"))

    x = leaf(1.0)
    y = x * 2
    y.register_hook(lambda grad: engine.queue_callback(first))
    y.sum().backward()
    assert called == ["first", "second"]
    with pytest.raises(RuntimeError, match="Final callbacks can only be installed during backward pass"):
        engine.queue_callback(first)


def test_passes_are_numbered():
    numbers = []
    x = leaf(1.0)
    y = x * 2
    y.register_hook(lambda grad: numbers.append(_C._current_graph_task_id()))
    for _ in range(2):
        y.sum().backward(retain_graph=True)
    assert numbers[1] == numbers[0] + 1 and _C._current_graph_task_id() == -1


def test_the_node_of_a_pass_is_known_inside_it():
    names = []
    x = leaf(1.0)
    (x * 2).register_hook(lambda grad: None)
    y = x * 2
    y.register_hook(lambda grad: names.append(_C._current_autograd_node().name()))
    y.sum().backward()
    assert names == ["MulBackward0"] and _C._current_autograd_node() is None


def test_a_pass_says_which_nodes_it_comes_to():
    x, unused = leaf(1.0), leaf(1.0)
    y = x * unused
    other = y.cos()
    answers = []
    y.register_hook(lambda grad: answers.append([_C._will_engine_execute_node(n) for n in (y.grad_fn, other.grad_fn)]))
    y.sum().backward(inputs=(x,), retain_graph=True)
    y.sum().backward()
    assert answers == [[True, False]] * 2
    with pytest.raises(RuntimeError, match="during the backward pass"):
        _C._will_engine_execute_node(y.grad_fn)
    with pytest.raises(RuntimeError, match="expects an grad_fn"):
        _C._will_engine_execute_node(y)


def test_a_version_can_be_kept_through_writes():
    x = torch.ones(2)
    x.add_(1)
    with torch.autograd._unsafe_preserve_version_counter(x):
        x.mul_(2)
    assert x._version == 1 and x.tolist() == [4.0, 4.0]
    with pytest.raises(RuntimeError, match="Cannot set"):
        torch._C._autograd._unsafe_set_version_counter((x,), (-1,))


def test_a_weak_reference_lets_its_tensor_go():
    x = torch.ones(1)
    ref = _C._WeakTensorRef(x)
    assert not ref.expired()
    del x
    assert ref.expired()


def test_whether_threads_may_be_used_is_a_thread_s_own_switch():
    answers = []
    with torch.autograd.set_multithreading_enabled(False):
        assert not torch.autograd.is_multithreading_enabled()
        other = threading.Thread(target=lambda: answers.append(torch.autograd.is_multithreading_enabled()))
        other.start()
        other.join()
    assert answers == [True] and torch.autograd.is_multithreading_enabled()


def test_a_tensor_that_requires_a_gradient_is_an_array_where_none_is_recorded():
    x = leaf(1.0)
    with torch.no_grad():
        assert x.numpy().tolist() == [1.0]
    with pytest.raises(RuntimeError, match="Can't call numpy"):
        x.numpy()


def test_views_are_known_as_such():
    x = torch.ones(2)
    assert x[0]._is_view() and not x._is_view()


def test_the_order_of_a_pass_is_known_while_it_goes_on():
    a, b, orders, called = leaf(1.0), leaf(2.0), [], []
    c, d = b.sin(), a.cos()
    out = c * d
    for name, tensor in {"a": a, "b": b, "c": c, "d": d}.items():
        tensor.register_hook(lambda grad, name=name: called.append(name))
    out.register_hook(lambda grad: orders.append(_C._current_graph_task_execution_order()))
    with torch.autograd.set_multithreading_enabled(False):
        out.backward(retain_graph=True)
        torch.autograd.grad(out, a, retain_graph=True)
    names = [[node.name().rpartition(":")[2] for node in order] for order in orders]
    assert names == [["MulBackward0", "CosBackward0", "AccumulateGrad", "SinBackward0", "AccumulateGrad"],
                     ["MulBackward0", "CosBackward0", "AccumulateGrad"]]
    assert called[:4] == ["d", "a", "c", "b"]
    with pytest.raises(RuntimeError, match="expects the current backward to be executed with multithreading disabled"):
        out.backward()
    with pytest.raises(RuntimeError, match="should only be called during the backward pass"):
        _C._current_graph_task_execution_order()


def test_a_hook_after_accumulation_returns_nothing():
    x = leaf(1.0)
    x.register_post_accumulate_grad_hook(lambda tensor: tensor.grad)
    with pytest.raises(RuntimeError, match="Tensor post accumulate grad hooks should return None."):
        x.sum().backward()


def passes_inside_passes(depth: float, at_each):
    """Go back through a function whose backward goes back through itself; ``at_each`` is told how far it is to go."""
    class Deeper(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            with torch.enable_grad():
                ctx.x = x.detach().requires_grad_() - 1
            return ctx.x.detach()

        @staticmethod
        def backward(ctx, grad):
            at_each(ctx.x.item())
            if ctx.x >= 0:
                with torch.enable_grad():
                    Deeper.apply(ctx.x).backward()
            return grad

    x = torch.tensor(depth, requires_grad=True)
    Deeper.apply(x).backward()
    return x.grad.item()


def test_passes_inside_passes_may_be_deeper_than_a_stack():
    torch._C._stash_obj_in_tls("kept for the thread", 5)
    seen = set()

    def look(to_go):
        seen.add((threading.get_ident(), torch._C._get_obj_in_tls("kept for the thread"),
                  torch.is_autocast_enabled("cpu")))

    with torch.autocast("cpu", enabled=True):
        assert passes_inside_passes(150.0, look) == 1.0
    torch._C._remove_obj_from_tls("kept for the thread")
    assert len({thread for thread, *_ in seen}) > 1
    assert {tuple(rest) for _, *rest in seen} == {(5, True)}
    assert not torch._C._is_key_in_tls("kept for the thread")
    assert torch._C._current_graph_task_id() == -1


def test_what_fails_deep_in_passes_is_raised_where_they_began():
    def fail(to_go):
        if to_go < 0:
            raise KeyError("deep down")

    with pytest.raises(KeyError, match="deep down"):
        passes_inside_passes(30.0, fail)
