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
    with pytest.raises(RuntimeError) as told:
        torch.autograd.gradcheck(Wrong.apply, (x,))
    assert str(told.value) == ("Jacobian mismatch for output 0 with respect to input 0,\n"
                               "numerical:tensor([[6.0000]], dtype=torch.float64)\n"
                               "analytical:tensor([[1.]], dtype=torch.float64)\n")


def test_gradcheck_refuses_a_result_that_depends_on_the_input_without_a_derivative():
    x = torch.tensor([3.0], dtype=torch.float64, requires_grad=True)
    with pytest.raises(RuntimeError, match="Numerical gradient for function expected to be zero"):
        torch.autograd.gradcheck(lambda t: t.detach() * 2, (x,))


def test_gradcheck_looks_at_both_parts_of_complex_numbers():
    class Unconjugated(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2j

        @staticmethod
        def backward(ctx, g):
            return g * 2j

    x = torch.tensor([0.3 + 0.2j, 1 - 2j], requires_grad=True, dtype=torch.complex128)
    assert torch.autograd.gradcheck(lambda t: t.conj() * torch.exp(t), (x,))
    assert torch.autograd.gradcheck(torch.abs, (x,))
    assert not torch.autograd.gradcheck(Unconjugated.apply, (x,), raise_exception=False)


def test_gradcheck_warns_of_single_precision():
    x = torch.tensor([0.0], requires_grad=True)
    with pytest.warns(UserWarning, match="Input #0 requires gradient and is not a double precision floating point"):
        assert torch.autograd.gradcheck(lambda t: t * 2, (x,), eps=1e-2)


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
