"""gradcheck, and derivatives as functions."""

from __future__ import annotations

import numpy as np
import pytest

import mindtorch_v2 as torch


def test_gradcheck_accepts_a_right_derivative():
    x = torch.tensor([0.3, 1.2], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda t: torch.tanh(t) * t, (x,))


def test_gradcheck_refuses_a_wrong_derivative():
    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * x

        @staticmethod
        def backward(ctx, g):
            return g

    x = torch.tensor([3.0], dtype=torch.float64, requires_grad=True)
    with pytest.raises(RuntimeError, match="Jacobian mismatch"):
        torch.autograd.gradcheck(Wrong.apply, (x,))


def test_gradgradcheck_looks_at_second_derivatives():
    x = torch.tensor([0.3, 1.2], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradgradcheck(lambda t: t * t * t, (x,))


def test_jacobian_and_hessian():
    x = torch.tensor([1.0, 2.0])
    jacobian = torch.autograd.functional.jacobian(lambda t: t * t, x)
    assert np.array_equal(jacobian.numpy(), [[2, 0], [0, 4]])
    hessian = torch.autograd.functional.hessian(lambda t: (t * t * t).sum(), x)
    assert np.array_equal(hessian.numpy(), [[6, 0], [0, 12]])


def test_vjp_and_jvp():
    x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 10.0])
    assert torch.autograd.functional.vjp(lambda t: t * t, x, v)[1].tolist() == [2.0, 40.0]
    assert torch.autograd.functional.jvp(lambda t: t * t, x, v)[1].tolist() == [2.0, 40.0]


def test_gradcheck_takes_memory_in_any_order_but_not_shown_twice():
    x = torch.rand(3, 2, dtype=torch.float64)
    assert torch.autograd.gradcheck(lambda t: t * t, (x.T.requires_grad_(),))
    with pytest.raises(RuntimeError, match="The 0th input has a dimension with stride 0"):
        torch.autograd.gradcheck(lambda t: t * t, (x[:, :1].expand(3, 4).requires_grad_(),))
