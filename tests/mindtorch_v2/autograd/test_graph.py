"""The graph itself: its names, its depth, its memory, and several threads on it."""

from __future__ import annotations

import gc
import threading

import pytest

import mindtorch_v2 as torch

from . import leaf


def test_graph_can_be_walked_by_name():
    x = leaf(1.0)
    y = (x * 2 + 1).sum()
    assert y.grad_fn.name() == "SumBackward0"
    add = y.grad_fn.next_functions[0][0]
    mul = add.next_functions[0][0]
    accumulate = mul.next_functions[0][0]
    names = [add.name(), mul.name(), accumulate.name()]
    assert names == ["AddBackward0", "MulBackward0", "torch::autograd::AccumulateGrad"]
    assert accumulate.variable is x


@pytest.mark.parametrize("depth", [100_000])
def test_deep_graph_needs_no_recursion(depth):
    x = leaf(1.0)
    y = x
    for _ in range(depth):
        y = y + 1
    y.backward(torch.ones(1))
    assert x.grad.item() == 1.0
    del y
    gc.collect()


def test_dropping_a_deep_graph_without_backward_needs_no_recursion():
    y = leaf(1.0)
    for _ in range(100_000):
        y = y * 1
    del y


def test_graph_lets_go_of_memory_without_the_garbage_collector():
    from mindtorch_v2.record import rows
    gc.disable()
    try:
        before = rows.allocated_bytes()
        x = torch.ones(1000, requires_grad=True)
        y = torch.tanh(x * 2)
        y.sum().backward()
        del x, y
        assert rows.allocated_bytes() == before
    finally:
        gc.enable()


def test_exception_in_backward_leaves_the_engine_usable():
    class Fails(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            raise ValueError("on purpose")

    x = leaf(1.0)
    with pytest.raises(ValueError, match="on purpose"):
        Fails.apply(x).sum().backward()
    assert torch.is_grad_enabled()
    (x * 2).sum().backward()
    assert x.grad.item() == 2.0


def test_threads_go_back_at_the_same_time():
    grads = {}

    def work(k):
        x = torch.full((50,), float(k), requires_grad=True)
        for _ in range(20):
            x.grad = None
            (x * x).sum().backward()
        grads[k] = x.grad[0].item()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert grads == {k: 2.0 * k for k in range(4)}


def test_threads_ask_one_graph_for_different_gradients():
    """Each pass keeps to itself which edges it wants; both stand in front of the same node when they go on."""
    x, y = leaf(2.0), leaf(3.0)
    product = x * y
    together = threading.Barrier(2, timeout=30)

    def meet(grads):
        together.wait()

    product.grad_fn.register_prehook(meet)
    found = {}

    def work(name, tensor):
        found[name] = torch.autograd.grad(product, tensor, torch.ones(1), retain_graph=True)[0].item()

    threads = [threading.Thread(target=work, args=pair) for pair in (("x", x), ("y", y))]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert found == {"x": 3.0, "y": 2.0}


def test_backward_inside_backward():
    class Inner(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.detach() ** 2

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            with torch.enable_grad():
                copy = x.detach().requires_grad_(True)
                (copy * copy).sum().backward()
            return copy.grad * g

    x = leaf(3.0)
    Inner.apply(x).sum().backward()
    assert x.grad.item() == 6.0


def test_graph_that_saved_no_tensor_can_be_walked_again():
    x = leaf(1.0, 2.0)
    y = (x + x).view(1, 2).t()[0].sum() - torch.cat([x, x]).mean()
    y.backward()
    first = x.grad.clone()
    y.backward()
    assert torch.equal(x.grad, 2 * first)


def test_gradient_of_a_complex_number_is_not_made_up():
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for real scalar outputs but got "
                                           "torch.complex64"):
        torch.ones(1, dtype=torch.complex64, requires_grad=True).sum().backward()


def test_backward_to_an_inner_tensor_fills_its_grad_alone():
    x = leaf(1.0)
    y = x * 2
    torch.autograd.backward((y * 3).sum(), inputs=[y])
    assert x.grad is None
    assert y.grad.item() == 3.0


def test_grad_wants_inputs():
    with pytest.raises(RuntimeError, match=r"`inputs` argument to `grad\(\)` cannot be empty."):
        torch.autograd.grad(leaf(1.0).sum(), [])


def test_assigned_gradient_is_of_the_same_size_and_type():
    x = leaf(1.0, 2.0)
    with pytest.raises(RuntimeError, match=r"attempting to assign a gradient of size '\[5\]' to a tensor of size "
                                           r"'\[2\]'. Please ensure that the gradient and the tensor are the same"):
        x.grad = torch.ones(5)
    with pytest.raises(RuntimeError, match="attempting to assign a gradient with dtype 'long int' to a tensor with "
                                           "grad_dtype 'Float'."):
        x.grad = torch.ones(2, dtype=torch.long)
