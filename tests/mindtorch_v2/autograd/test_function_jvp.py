"""Custom Functions with a ``jvp``, and gradcheck of tangents."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.autograd import Function, forward_ad, gradcheck


def scaled(factor: float, derivative: float, view: bool = False):
    """A function that multiplies by a number, with a tangent that it gets right or wrong."""
    class Scaled(Function):
        @staticmethod
        def forward(ctx, x):
            return x[:1] if view else x * factor

        @staticmethod
        def backward(ctx, grad):
            return grad * factor

        @staticmethod
        def jvp(ctx, tangent):
            return tangent[:1].clone() if view else tangent * derivative

    return Scaled.apply


def leaf(*values: float):
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


@pytest.mark.parametrize("fast_mode", [True, False])
def test_gradcheck_finds_a_wrong_tangent(fast_mode):
    assert gradcheck(scaled(2, 2), (leaf(1, 2),), check_forward_ad=True, fast_mode=fast_mode)
    with pytest.raises(RuntimeError, match="Jacobian computed with forward mode mismatch for output 0"):
        gradcheck(scaled(2, 3), (leaf(1, 2),), check_forward_ad=True, fast_mode=fast_mode)


def test_gradcheck_names_the_part_of_a_complex_input():
    def wrong(x):
        if forward_ad._current_level >= 0:
            primal, tangent = forward_ad.unpack_dual(x)
            x = forward_ad.make_dual(primal, tangent * 1.1)
        return x * 2

    x = torch.tensor([1 + 2j], dtype=torch.complex128, requires_grad=True)
    with pytest.raises(RuntimeError, match="While considering the imaginary part of complex inputs only"):
        gradcheck(wrong, (x,), check_forward_ad=True)


def test_gradcheck_checks_batches_of_tangents():
    assert gradcheck(lambda x: (x ** 2, x.sum()), (leaf(1, 2),), check_forward_ad=True, check_batched_forward_grad=True,
                     check_batched_grad=True)


def test_a_view_wants_a_view_of_the_tangent():
    with forward_ad.dual_level(), pytest.raises(RuntimeError, match="the jvp is not returning a view"):
        scaled(1, 1, view=True)(forward_ad.make_dual(torch.ones(2), torch.ones(2)))


def test_a_function_without_jvp_is_refused_tangents():
    class Plain(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

    with forward_ad.dual_level(), pytest.raises(NotImplementedError, match="must implement the jvp function"):
        Plain.apply(forward_ad.make_dual(torch.ones(2), torch.ones(2)))


def test_forward_runs_without_tangents():
    seen = []

    class Looking(Function):
        @staticmethod
        def forward(ctx, x):
            seen.append(forward_ad.unpack_dual(x * 2).tangent)
            return x * 2

        @staticmethod
        def jvp(ctx, tangent):
            return tangent * 2

    with forward_ad.dual_level():
        out = Looking.apply(forward_ad.make_dual(torch.ones(2), torch.ones(2)))
        assert torch.equal(forward_ad.unpack_dual(out).tangent, torch.full((2,), 2.0))
    assert seen == [None]


def test_repr_shows_the_tangent():
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(torch.ones(1), torch.zeros(1))
        assert repr(dual) == "tensor([1.], tangent=tensor([0.]))"
        assert "tangent" not in repr(forward_ad.unpack_dual(dual).primal)


def test_no_tangent_where_it_is_switched_off():
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(torch.ones(1), torch.ones(1))
        with forward_ad._set_fwd_grad_enabled(False):
            assert forward_ad.unpack_dual(dual * 2).tangent is None
        with torch.no_grad():
            assert forward_ad.unpack_dual(dual * 2).tangent == 2


def test_backward_through_a_tangent():
    x, v = leaf(1, 2), leaf(3, 4)
    with forward_ad.dual_level():
        tangent = forward_ad.unpack_dual(forward_ad.make_dual(x, v) ** 3).tangent
    of_x, of_v = torch.autograd.grad(tangent.sum(), (x, v))
    assert torch.allclose(of_x, 6 * x * v)
    assert torch.allclose(of_v, 3 * x ** 2)
