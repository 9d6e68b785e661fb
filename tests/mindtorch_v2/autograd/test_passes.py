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


def test_gradients_of_unused_edges_are_made_of_zeros_where_asked():
    x = leaf(1.0, 2.0)
    unused = torch.autograd.graph.get_gradient_edge(x * 2)
    (grad,) = torch.autograd.grad(x.sum(), unused, materialize_grads=True)
    assert grad.tolist() == [0.0, 0.0]


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
