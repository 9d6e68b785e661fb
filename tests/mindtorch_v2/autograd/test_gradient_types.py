"""Types and layouts of the gradients that leaves get."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

from . import leaf


class Doubled(torch.autograd.Function):
    """Twice its input, with a gradient in double precision."""

    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad.to(torch.float64)


@pytest.mark.parametrize(("wanted", "given"), [(torch.float32, torch.float32), (torch.float16, torch.float16),
                                               (None, torch.float64)])
def test_a_gradient_is_cast_to_the_type_that_its_leaf_wants(wanted, given):
    x = leaf(1.0, 2.0)
    assert x.grad_dtype is torch.float32
    x.grad_dtype = wanted
    assert x.grad_dtype is wanted
    Doubled.apply(x).sum().backward()
    assert x.grad.dtype is given
    assert x.grad.tolist() == [1.0, 1.0]


def test_a_gradient_that_is_set_has_the_wanted_type():
    x = leaf(1.0)
    x.grad_dtype = torch.float16
    with pytest.raises(RuntimeError, match="gradient with dtype 'float' to a tensor with grad_dtype 'Half'"):
        x.grad = torch.ones(1)
    x.grad = torch.ones(1, dtype=torch.float16)
    with pytest.raises(RuntimeError, match="Cannot set grad_dtype to 'Double' because there is already a gradient "
                                           "with dtype 'c10::Half'"):
        x.grad_dtype = torch.float64
    x.grad_dtype = None
    x.grad = torch.ones(1, dtype=torch.float64)


def test_only_leaves_have_a_wanted_type():
    y = leaf(1.0) * 2
    with pytest.raises(RuntimeError, match="grad_dtype can only be accessed on leaf tensors"):
        _ = y.grad_dtype
    with pytest.raises(RuntimeError, match="grad_dtype can only be set on leaf tensors"):
        y.grad_dtype = torch.float16
    with pytest.raises(RuntimeError, match="grad_dtype must be a torch.dtype or None, but got int"):
        leaf(1.0).grad_dtype = 3


class RowByRow(torch.autograd.Function):
    """A sum whose gradient lies row by row, however its input lies."""

    @staticmethod
    def forward(ctx, x):
        return x.sum()

    @staticmethod
    def backward(ctx, grad):
        return torch.ones(2, 3, 4, 5)


def strides_of_gradient():
    x = torch.rand(2, 3, 4, 5).to(memory_format=torch.channels_last).requires_grad_()
    RowByRow.apply(x).backward()
    return x.grad.stride()


AS_THE_LEAF, AS_IT_CAME = (60, 1, 15, 3), (60, 20, 5, 1)


def test_gradients_lie_as_their_leaves_unless_that_is_not_asked_for():
    assert strides_of_gradient() == AS_THE_LEAF
    with torch.autograd.enforce_grad_layout_policy(False):
        assert strides_of_gradient() == AS_IT_CAME
    assert strides_of_gradient() == AS_THE_LEAF
    assert torch.autograd.enforce_grad_layout_policy(False)(strides_of_gradient)() == AS_IT_CAME
    assert torch._C._is_grad_layout_enforcement_enabled()


def test_complex_gradients_are_for_complex_outputs():
    x = leaf(1.0, 2.0)
    with pytest.raises(RuntimeError, match=r"both grad_output and output are required to have the same dtype. Mismatch "
                                           r"in dtype: grad_output\[0\] has a dtype of torch.complex64"):
        torch.autograd.grad(x.sin(), x, torch.ones(2, dtype=torch.complex64))


def test_a_leaf_that_shows_other_memory_gets_gradients_of_its_new_shape():
    x = torch.nn.Parameter(torch.ones(4))
    for size in (3, 2):
        with torch.no_grad():
            x.set_(x[1:])
            x.grad = None
        torch.cat((x, x)).sum().backward()
        assert x.grad.shape == (size,)


def test_a_graph_from_before_a_leaf_got_other_memory_still_leads_to_it():
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    with torch.no_grad():
        x.set_(torch.zeros(2))
    (grad,) = torch.autograd.grad(y.sum(), x)
    assert grad.tolist() == [3.0, 3.0]
