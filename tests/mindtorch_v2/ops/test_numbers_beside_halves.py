"""Which numbers PyTorch rounds to half precision before it computes in float32, and which it takes as they are."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

ROUNDED = {torch.bfloat16: 0.30078125, torch.float16: 0.300048828125}  # 0.3
FORMS = {
    "add": lambda x, y: x.add(y, alpha=0.3), "add_": lambda x, y: x.clone().add_(y, alpha=0.3),
    "sub": lambda x, y: x.sub(-y, alpha=0.3), "rsub": lambda x, y: torch.rsub(-y, x, alpha=0.3),
    "foreach": lambda x, y: torch._foreach_add([x], [y], alpha=0.3)[0],
    "a number": lambda x, y: x.add(64.0, alpha=0.3), "out": lambda x, y: torch.add(x, y, alpha=0.3, out=x.clone()),
}


@pytest.mark.parametrize("dtype", ROUNDED, ids=str)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_alpha_is_rounded(form, dtype):
    y = torch.full((40,), 64.0, dtype=dtype)
    x = -(y * ROUNDED[dtype])
    assert form(x, y).tolist() == [0.0] * 40


@pytest.mark.parametrize("dtype", ROUNDED, ids=str)
def test_the_bound_of_hardshrink_is_rounded(dtype):
    assert torch.nn.functional.hardshrink(torch.tensor([0.3, 0.31], dtype=dtype), 0.3)[0] == 0


def test_alpha_stays_as_it_is_beside_floats():
    assert torch.zeros(1, dtype=torch.float64).add(1.0, alpha=0.3).item() == 0.3


PRODUCTS = {
    "mul": lambda x: x * 0.3, "from the left": lambda x: 0.3 * x, "mul_": lambda x: x.clone().mul_(0.3),
    "out": lambda x: torch.mul(x, 0.3, out=torch.empty_like(x)), "foreach": lambda x: torch._foreach_mul([x], 0.3)[0],
    "a tensor": lambda x: x * torch.tensor(0.3), "columns": lambda x: (x.reshape(4, 10).t() * 0.3).t().reshape(40),
}
QUOTIENTS = {
    "div": lambda x: x / 0.3, "div_": lambda x: x.clone().div_(0.3), "a tensor": lambda x: x / torch.tensor(0.3),
    "foreach": lambda x: torch._foreach_div([x], 0.3)[0],
}
# x, then PyTorch's x * 0.3 and x / 0.3, which are others with the number rounded to the type of x
EXACT = {torch.bfloat16: (1.03125, 0.30859375, 3.4375), torch.float16: (1.046875, 0.31396484375, 3.490234375)}


@pytest.mark.parametrize("dtype", EXACT, ids=str)
@pytest.mark.parametrize("form", PRODUCTS.values(), ids=PRODUCTS)
def test_factors_are_taken_as_they_are(form, dtype):
    x, product, _ = EXACT[dtype]
    assert form(torch.full((40,), x, dtype=dtype)).tolist() == [product] * 40


@pytest.mark.parametrize("dtype", EXACT, ids=str)
@pytest.mark.parametrize("form", QUOTIENTS.values(), ids=QUOTIENTS)
def test_divisors_are_taken_as_they_are(form, dtype):
    x, _, quotient = EXACT[dtype]
    assert form(torch.full((40,), x, dtype=dtype)).tolist() == [quotient] * 40


def test_gradients_of_a_product_take_the_factor_as_it_is():
    x = torch.ones(3, dtype=torch.bfloat16, requires_grad=True)
    (x * 0.3).backward(torch.full((3,), 1.03125, dtype=torch.bfloat16))
    assert x.grad.tolist() == [0.30859375] * 3
