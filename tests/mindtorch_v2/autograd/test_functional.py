"""torch.autograd.functional: products, shapes of what comes back, and torch's refusals."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.autograd import functional

ONE, TWO = torch.ones(2), torch.full((2,), 2.0)
PRODUCTS = ["vjp", "jvp", "vhp", "hvp"]


def cubes(x):
    return (x ** 3).sum()


def test_products_with_the_jacobian():
    out, left = functional.vjp(lambda x: x ** 2, TWO, ONE)
    assert (out.tolist(), left.tolist()) == ([4.0, 4.0], [4.0, 4.0])
    assert functional.jvp(lambda x: x ** 2, TWO, ONE)[1].tolist() == [4.0, 4.0]


@pytest.mark.parametrize("name", ["vhp", "hvp"])
def test_products_with_the_hessian(name):
    out, product = getattr(functional, name)(cubes, TWO, torch.tensor([1.0, 0.0]))
    assert (out.item(), product.tolist()) == (16.0, [12.0, 0.0])
    assert not product.requires_grad


def test_what_comes_back_is_nested_as_what_went_in_and_out():
    def both(x, y):
        return x * y, (x + y).sum()

    found = functional.jacobian(both, (ONE, TWO))
    assert [[tuple(part.shape) for part in row] for row in found] == [[(2, 2), (2, 2)], [(2,), (2,)]]
    assert functional.hessian(cubes, TWO).tolist() == [[12.0, 0.0], [0.0, 12.0]]
    assert [len(row) for row in functional.hessian(lambda x, y: (x * y).sum(), (ONE, TWO))] == [2, 2]


def test_a_function_without_a_way_back_has_zeros():
    assert functional.vjp(lambda x: torch.ones(2), ONE, ONE)[1].tolist() == [0.0, 0.0]
    assert functional.jacobian(lambda x: torch.ones(1), ONE).tolist() == [[0.0, 0.0]]


def test_a_graph_leads_back_to_the_caller_where_it_is_wanted():
    x = torch.full((2,), 2.0, requires_grad=True)
    functional.vhp(cubes, x, ONE, create_graph=True)[1].sum().backward()
    assert x.grad.tolist() == [6.0, 6.0]


@pytest.mark.parametrize("name", ["jacobian", "hessian", *PRODUCTS])
def test_inputs_must_be_tensors(name):
    with pytest.raises(TypeError, match=f"The inputs given to {name} must be either a Tensor or a tuple of Tensors but "
                                        "the given inputs has type <class 'int'>"):
        getattr(functional, name)(cubes, 3)
    with pytest.raises(TypeError, match="the value at index 1 has type <class 'str'>"):
        getattr(functional, name)(cubes, (ONE, "a"))


@pytest.mark.parametrize("name", PRODUCTS)
def test_a_vector_must_fit(name):
    product = getattr(functional, name)
    with pytest.raises(RuntimeError, match="The vector v can only be None if"):
        product(lambda x: x * 2 if name == "vjp" else cubes(x), ONE)
    with pytest.raises(RuntimeError, match=r"v has invalid size: should be torch.Size"):
        product(cubes, ONE, torch.ones(3))
    with pytest.raises(RuntimeError, match="The given v should contain a single Tensor."):
        product(cubes, ONE, (ONE, ONE))


@pytest.mark.parametrize("name", ["hessian", "vhp", "hvp"])
def test_second_derivatives_are_of_one_number(name):
    further = () if name == "hessian" else (ONE,)
    with pytest.raises(RuntimeError, match="should contain a single element"):
        getattr(functional, name)(lambda x: x * 2, ONE, *further)
    with pytest.raises(RuntimeError, match="should return a single Tensor"):
        getattr(functional, name)(lambda x: (x.sum(), x.sum()), ONE, *further)


@pytest.mark.parametrize(("call", "text"), [
    (lambda: functional.vjp(lambda x: torch.ones(1), ONE, torch.ones(1), strict=True),
     "Output 0 of the user-provided function does not require gradients."),
    (lambda: functional.vjp(lambda x, y: x * 2, (ONE, TWO), ONE, strict=True),
     "The output of the user-provided function is independent of input 1."),
    (lambda: functional.jacobian(lambda x, y: x * 2, (ONE, TWO), strict=True),
     "Output 0 of the user-provided function is independent of input 1."),
    (lambda: functional.vhp(lambda x: x.sum(), ONE, ONE, strict=True),
     "While computing the hessian, found that the jacobian of the user-provided function with respect to input 0"),
    (lambda: functional.jacobian(lambda x: x, ONE, strict=True, vectorize=True),
     "`strict=True` and `vectorized=True` are not supported together")])
def test_strict_mode_refuses_what_depends_on_nothing(call, text):
    with pytest.raises(RuntimeError, match=text):
        call()


def test_a_strategy_must_be_known():
    with pytest.raises(AssertionError, match="Expected strategy to be either"):
        functional.jacobian(cubes, ONE, strategy="sideways")
