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


class Tripled(torch.autograd.Function):
    """A square whose derivative is said to be 3."""

    @staticmethod
    def forward(ctx, x):
        return x * x

    @staticmethod
    def backward(ctx, g):
        return g * 3


def test_fast_mode_compares_products_with_the_vectors_that_torch_draws():
    x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
    with pytest.raises(RuntimeError) as told:
        torch.autograd.gradcheck(Tripled.apply, (x,), fast_mode=True)
    heading, numerical, analytical = str(told.value).splitlines()[:3]
    assert heading == "Jacobian mismatch for output 0 with respect to input 0,"
    assert float(numerical.removeprefix("numerical:")) == pytest.approx(4.011531055443864, rel=1e-12)
    assert float(analytical.removeprefix("analytical:")) == pytest.approx(2.937823704623985, rel=1e-12)
    assert "[0.0000, 4.0000, 0.0000]" in str(told.value)


def test_the_imaginary_part_of_complex_outputs_is_looked_at_first():
    x = torch.tensor([1 + 1j, 2], dtype=torch.complex128, requires_grad=True)
    with pytest.raises(RuntimeError) as told:
        torch.autograd.gradcheck(Tripled.apply, (x,))
    assert str(told.value) == (
        "While considering the imaginary part of complex outputs only, Jacobian mismatch for output 0 with respect to "
        "input 0,\nnumerical:tensor([[2.0000+2.0000j, 0.0000+0.0000j],\n        [0.0000+0.0000j, 0.0000+4.0000j]], "
        "dtype=torch.complex128)\nanalytical:tensor([[0.+3.j, 0.+0.j],\n        [0.+0.j, 0.+3.j]], "
        "dtype=torch.complex128)\n")


def hooked(hook):
    """The identity with a hook on its gradient."""
    def function(x):
        y = x.clone()
        y.register_hook(hook)
        return y

    return function


def fail_on_none(grad):
    if grad is None:
        raise RuntimeError("x is undefined")


@pytest.mark.parametrize("fast_mode", [False, True])
@pytest.mark.parametrize(("hook", "text"), [
    (lambda grad: grad + 1e-2, "backward not multiplied by grad_output"),
    (lambda grad: grad * (1 + 1e-9 * torch.rand_like(grad)), "Backward is not reentrant"),
    (fail_on_none, "Expected backward function to handle undefined output grads"),
])
@pytest.mark.filterwarnings("ignore:Backwards compatibility")
def test_gradcheck_refuses_what_no_backward_may_do(hook, text, fast_mode):
    x = torch.ones(1, dtype=torch.float64, requires_grad=True)
    with pytest.raises(RuntimeError, match=text):
        torch.autograd.gradcheck(hooked(hook), (x,), atol=1e-1, fast_mode=fast_mode)
    assert not torch.autograd.gradcheck(hooked(hook), (x,), atol=1e-1, fast_mode=fast_mode, raise_exception=False)


def test_nondeterminism_and_missing_gradients_may_be_allowed():
    x = torch.ones(1, dtype=torch.float64, requires_grad=True)
    jitter = hooked(lambda grad: grad * (1 + 1e-9 * torch.rand_like(grad)))
    assert torch.autograd.gradcheck(jitter, (x,), nondet_tol=1e-5, check_undefined_grad=False)
    assert torch.autograd.gradcheck(hooked(fail_on_none), (x,), check_undefined_grad=False)


@pytest.mark.parametrize("fast_mode", [False, True])
@pytest.mark.parametrize(("change", "what"), [(lambda t: torch.cat([t, t]), "shape"), (lambda t: t.float(), "dtype")])
def test_outputs_must_keep_their_shape_and_type(change, what, fast_mode):
    x = torch.ones(1, dtype=torch.float64, requires_grad=True)
    with pytest.raises(AssertionError, match=f"return outputs with the same {what} when inputs are perturbed"):
        torch.autograd.gradcheck(lambda t: change(t) if (t >= 1).all() else t, (x,), fast_mode=fast_mode)


def test_a_check_of_nothing_is_refused():
    x = torch.ones(1, dtype=torch.float64, requires_grad=True)
    with pytest.raises(AssertionError, match="Expected at least one of check_forward_ad or check_backward_ad"):
        torch.autograd.gradcheck(torch.sin, (x,), check_backward_ad=False)
    with pytest.raises(AssertionError, match="requires check_backward_ad to be True"):
        torch.autograd.gradcheck(torch.sin, (x,), check_forward_ad=True, check_backward_ad=False,
                                 check_batched_grad=True)


def test_the_older_functions_give_jacobians_and_warn():
    from mindtorch_v2.autograd.gradcheck import get_analytical_jacobian, get_numerical_jacobian
    a, b = (torch.rand(2, dtype=torch.float64, requires_grad=True) for _ in range(2))
    with pytest.warns(FutureWarning, match="`get_numerical_jacobian` was part of PyTorch's private API"):
        by_differences = get_numerical_jacobian(lambda given: (2 * given[0] + given[1],), (a, b), eps=1e-6)
    with pytest.warns(FutureWarning, match="`get_analytical_jacobian` was part of PyTorch's private API"):
        jacobians, *answers = get_analytical_jacobian((a, b), 2 * a + b)
    assert answers == [True, True, True]
    for one, other, factor in zip(by_differences, jacobians, (2, 1)):
        assert torch.allclose(one, factor * torch.eye(2, dtype=torch.float64))
        assert other.tolist() == (factor * torch.eye(2)).tolist()
    with pytest.warns(FutureWarning), pytest.raises(ValueError, match="Expected grad_out to be 1.0"):
        get_numerical_jacobian(lambda given: given, (a, b), grad_out=2.0)


LAYOUTS = {"sparse_coo": None, "sparse_csr": None, "sparse_csc": None, "sparse_bsr": (2, 2), "sparse_bsc": (2, 2)}


@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize("fast_mode", [True, False])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_sparse_inputs_are_varied_where_they_keep_elements_or_everywhere(layout, fast_mode, masked):
    dense = torch.tensor([[1.0, 0.0, 0.5, 0.0], [0.0, 2.0, 0.0, 3.0]], dtype=torch.float64)
    x = dense.to_sparse(layout=getattr(torch, layout), blocksize=LAYOUTS[layout]).requires_grad_()
    is_right = torch.autograd.gradcheck(torch.sum, (x,), fast_mode=fast_mode, masked=masked, raise_exception=False)
    # The gradient of sum() has all elements: those that were left out differ, unless whole blocks keep them all.
    assert is_right == (fast_mode or not masked or LAYOUTS[layout] is not None)


def test_a_gradient_of_kept_elements_alone_is_right_only_where_the_others_are_left_out():
    x = torch.tensor([1.0, 0.0, 2.0], dtype=torch.float64).to_sparse().requires_grad_()
    for fast_mode in (True, False):
        assert torch.autograd.gradcheck(lambda t: t.to_dense(), (x,), masked=True, fast_mode=fast_mode)
        assert torch.autograd.gradcheck(lambda t: t.to_dense(masked_grad=False), (x,), fast_mode=fast_mode)


def test_values_of_several_dimensions_are_varied_one_by_one():
    values = torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=torch.float64)
    x = torch.sparse_coo_tensor(torch.tensor([[0, 2]]), values, (3, 2)).coalesce().requires_grad_()
    assert torch.autograd.gradcheck(lambda t: t.to_dense() ** 2, (x,), masked=True)


def test_sparse_results_and_gradients_of_another_layout_are_refused():
    x = torch.rand(2, dtype=torch.float64).to_sparse().requires_grad_()
    with pytest.raises(ValueError, match="Sparse output is not supported at gradcheck yet"):
        torch.autograd.gradcheck(lambda t: t * 1, (x,), masked=True, raise_exception=False)

    class Sparsely(torch.autograd.Function):
        @staticmethod
        def forward(ctx, t):
            return t.clone()

        @staticmethod
        def backward(ctx, g):
            return g.to_sparse()

    with pytest.raises(RuntimeError, match=r"grad is incorrect layout \(torch.sparse_coo is not torch.strided\)"):
        torch.autograd.gradcheck(Sparsely.apply, (torch.ones(1, dtype=torch.float64, requires_grad=True),))


def test_results_that_are_conjugated_later_are_read_as_they_show():
    x = torch.tensor([0.3 + 0.2j, 1 - 2j], requires_grad=True, dtype=torch.complex128)
    assert torch.autograd.gradcheck(lambda t: (t * t).conj(), (x,))
    assert torch.autograd.gradcheck(lambda t: (t * t).conj(), (x,), fast_mode=True)


@pytest.mark.parametrize("base", [-2.0, -2.0 + 1j, torch.tensor([-1.0, -0.5], dtype=torch.float64)])
def test_powers_of_negative_numbers_have_complex_derivatives(base):
    exponent = torch.tensor([0.3 + 0.2j, 1 - 1j], requires_grad=True, dtype=torch.complex128)
    assert torch.autograd.gradcheck(lambda t: torch.pow(base, t), (exponent,))


def test_parameters_are_changed_behind_the_graph_s_back():
    weight = torch.nn.Parameter(torch.ones(3, 2, dtype=torch.float64))
    x = torch.ones(4, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x, w: torch.nn.functional.linear(x, w).sin(), (x, weight))
    assert weight._version == 0


def test_forward_over_backward_restores_who_requires_gradients():
    x = torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradgradcheck(lambda t: t.exp(), (x,), check_fwd_over_rev=True)
