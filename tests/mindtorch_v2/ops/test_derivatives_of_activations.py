"""Derivatives of activations called on operands of two types, shapes or layouts, as torch answers."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

F64 = torch.float64
# The op's numbers after gradient and argument, and the name of torch's kernel.
PAIRS = {
    "silu_backward": ((), "silu_backward_cpu"),
    "gelu_backward": ((), "GeluBackwardKernelImpl"),
    "mish_backward": ((), "mish_backward_cpu"),
    "hardswish_backward": ((), "hardswish_backward_cpu"),
    "hardsigmoid_backward": ((), "hardsigmoid_backward"),
    "hardtanh_backward": ((-1, 1), "hardshrink_backward_cpu"),
    "softplus_backward": ((1, 20), "softplus_backward_cpu"),
    "leaky_relu_backward": ((0.1, False), "leaky_relu_backward_cpu"),
    "sigmoid_backward": ((), "sigmoid_backward_cpu"),
    "tanh_backward": ((), "tanh_backward_cpu"),
}


def derivative(name, grad, x):
    return getattr(torch.ops.aten, name)(grad, x, *PAIRS[name][0])


@pytest.mark.parametrize("name", PAIRS)
def test_two_types_are_promoted(name):
    grad, x = torch.rand(3, 4), torch.rand(3, 4, dtype=F64)
    found = derivative(name, grad, x)
    assert found.dtype is F64
    assert torch.equal(found, derivative(name, grad.to(F64), x))


@pytest.mark.parametrize("name", PAIRS)
def test_one_number_stands_for_every_element(name):
    grad, x = torch.rand(3, 4), torch.tensor(0.5)
    assert torch.allclose(derivative(name, grad, x), derivative(name, grad, torch.full((3, 4), 0.5)))


@pytest.mark.parametrize("name", PAIRS)
def test_shapes_that_do_not_fit_are_refused_in_torchs_words(name):
    with pytest.raises(RuntimeError, match=r"The size of tensor a .* must match the size of tensor b"):
        derivative(name, torch.rand(3, 4), torch.rand(5))


@pytest.mark.parametrize("name", PAIRS)
def test_whole_numbers_are_refused_by_the_name_of_torchs_kernel(name):
    with pytest.raises(NotImplementedError, match=f"\"{PAIRS[name][1]}\" not implemented for 'Long'"):
        derivative(name, torch.ones(3, 4, dtype=torch.int64), torch.ones(3, 4, dtype=torch.int64))


@pytest.mark.parametrize("name", ["gelu_backward", "mish_backward", "hardtanh_backward", "hardswish_backward"])
def test_a_result_lies_in_memory_as_the_gradient_does(name):
    grad, x = torch.rand(4, 3).t(), torch.rand(3, 4)
    found = derivative(name, grad, x)
    assert found.stride() == (1, 3)
    assert torch.allclose(found, derivative(name, grad.contiguous(), x))


def test_the_gradients_of_prelu_lie_in_memory_as_its_input_does():
    x = torch.rand(4, 3).t()
    for found in torch.ops.aten._prelu_kernel_backward(torch.rand(3, 4), x, torch.rand(3, 4)):
        assert found.stride() == (1, 3)
    with pytest.raises(RuntimeError, match="Found dtype Double but expected Float"):
        torch.ops.aten._prelu_kernel_backward(torch.rand(3, 4, dtype=F64), x, torch.rand(3, 4))
