"""Transforms where they go beyond PyTorch's, and what they do to modes, memory and modules."""

from __future__ import annotations

import gc

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.autograd import forward_ad
from mindtorch_v2.func import functional_call, grad, jacfwd, jacrev, jvp, linearize, vjp, vmap


def test_jvp_inside_a_dual_level_is_a_level_of_its_own():
    x = torch.tensor(2.0)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, torch.tensor(1.0))
        _, inner = jvp(lambda y: dual * y ** 2, (x,), (torch.tensor(1.0),))
        primal, tangent = forward_ad.unpack_dual(inner)
    assert primal == 8  # d/dy x y^2 = 2 x y
    assert tangent == 4  # by x


def test_a_tensor_multiplied_by_itself_in_place():
    x = torch.tensor([1.0, 3.0])
    assert torch.equal(jvp(lambda x: x.clone().mul_(2), (x,), (torch.ones(2),))[1], torch.full((2,), 2.0))
    assert torch.equal(jvp(squared_in_place, (x,), (torch.ones(2),))[1], 2 * x)


def squared_in_place(x):
    y = x.clone()
    return y.mul_(y)


def test_integers_beside_a_tensor_with_a_tangent_have_none():
    _, tangent = jvp(lambda x: torch.cat([x, torch.arange(2)]), (torch.ones(1),), (torch.ones(1),))
    assert tangent.tolist() == [1, 0, 0]


def test_backward_inside_of_grad_goes_to_other_leaves():
    weight = torch.tensor(3.0, requires_grad=True)

    def function(x):
        (weight * x).backward(inputs=[weight])
        return x ** 2

    assert grad(function)(torch.tensor(2.0)) == 4
    assert weight.grad == 2


def test_linearize_calls_the_function_once():
    calls = []

    def function(x):
        calls.append(x)
        return x.sin()

    x = torch.tensor([0.5, 1.0])
    _, product = linearize(function, x)
    for factor in (1.0, 2.0):
        assert torch.equal(product(torch.full((2,), factor)), factor * x.cos())
    assert len(calls) == 1


def test_a_gradient_leads_on_to_the_callers_graph_only_where_the_caller_asks():
    x, w = torch.tensor(2.0), torch.tensor(3.0, requires_grad=True)
    derived = grad(lambda x: w * x ** 2)(x)
    assert derived.requires_grad
    assert torch.autograd.grad(derived, w)[0] == 4
    assert not grad(lambda x: x ** 2)(x).requires_grad
    with torch.no_grad():
        assert not grad(lambda x: w * x ** 2)(x).requires_grad


def test_transforms_differentiate_in_inference_mode():
    x = torch.tensor([1.0, 2.0])
    with torch.inference_mode():
        assert torch.equal(grad(lambda x: (x ** 3).sum())(x), 3 * x ** 2)
        assert torch.equal(jvp(lambda x: x ** 2, (x,), (x,))[1], 2 * x ** 2)
        assert torch.is_inference_mode_enabled()


def test_tangents_do_not_outlive_their_level():
    before = count_tensors()
    jvp(lambda x: (x.exp() * x.sin()).sum(), (torch.ones(3),), (torch.ones(3),))
    assert count_tensors() == before


def count_tensors() -> int:
    gc.collect()
    return sum(isinstance(one, torch.Tensor) for one in gc.get_objects())


def test_plain_calls_do_not_come_near_tangents_after_a_level(monkeypatch):
    from mindtorch_v2.dispatch import forward_mode
    jvp(torch.sin, (torch.ones(3),), (torch.ones(3),))
    monkeypatch.setattr(forward_mode, "has_tangents", lambda *_: pytest.fail("asked for tangents"))
    assert torch.ones(3).add(1).sum() == 6


def test_a_failing_function_leaves_no_level_behind():
    with pytest.raises(ValueError, match="mine"):
        jvp(lambda x: fail(), (torch.ones(1),), (torch.ones(1),))
    with forward_ad.dual_level() as level:
        assert level == 0


def fail():
    raise ValueError("mine")


def test_gradients_of_a_module_by_its_parameters_do_not_touch_it():
    module = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
    params = {name: p.detach() for name, p in module.named_parameters()}
    x = torch.ones(2, 3)
    derived = grad(lambda p: functional_call(module, p, (x,)).sum())(params)
    module(x).sum().backward()
    assert all(torch.equal(derived[name], p.grad) for name, p in module.named_parameters())


@pytest.mark.parametrize("cell", [torch.nn.LSTM, torch.nn.GRU, torch.nn.RNN])
def test_recurrent_layers_have_tangents(cell):
    layer = cell(3, 4).double()
    x, v = torch.linspace(-1, 1, 6, dtype=torch.float64).reshape(2, 1, 3), torch.ones(2, 1, 3, dtype=torch.float64)
    forward = jvp(lambda x: layer(x)[0], (x,), (v,))[1]
    _, products = vjp(lambda x: layer(x)[0], x)
    start = torch.linspace(0, 1, 8, dtype=torch.float64).reshape(2, 1, 4)
    assert torch.allclose((forward * start).sum(), (products(start)[0] * v).sum())


def test_both_jacobians_agree_on_attention():
    q = torch.linspace(-1, 1, 8, dtype=torch.float64).reshape(1, 1, 2, 4)

    def attend(q):
        return torch.nn.functional.scaled_dot_product_attention(q, q.flip(-1), q * 2)

    assert torch.allclose(jacfwd(attend)(q), jacrev(attend, chunk_size=1)(q))


def test_per_sample_gradients_equal_those_of_a_loop():
    w, x = torch.linspace(-1, 1, 3), torch.linspace(0, 1, 12).reshape(4, 3)
    loss = lambda w, x: torch.tanh(x @ w) ** 2  # noqa: E731
    together = vmap(grad(loss), in_dims=(None, 0))(w, x)
    assert torch.allclose(together, torch.stack([grad(loss)(w, row) for row in x]))
