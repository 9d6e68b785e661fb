"""Losses and products of tensors whose types differ: which type results, and which types the gradients have."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.nn import functional as F  # noqa: N812  as everybody calls it

PAIRS = [(torch.float32, torch.float64), (torch.float64, torch.float32), (torch.float16, torch.float32),
         (torch.float32, torch.bfloat16)]


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("loss", [F.mse_loss, F.smooth_l1_loss, F.l1_loss, F.binary_cross_entropy_with_logits])
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_a_loss_of_two_floating_types_gives_each_a_gradient_of_its_own_type(loss, reduction, first, second):
    x = torch.tensor([0.25, 0.5, 0.75]).to(first).requires_grad_()
    y = torch.tensor([0.5, 0.5, 0.25]).to(second).requires_grad_()
    result = loss(x, y, reduction=reduction)
    result.sum().backward()
    wide = torch.tensor([0.25, 0.5, 0.75], dtype=torch.float64, requires_grad=True)
    other = torch.tensor([0.5, 0.5, 0.25], dtype=torch.float64, requires_grad=True)
    loss(wide, other, reduction=reduction).sum().backward()
    assert x.grad.dtype is first and y.grad.dtype is second
    assert torch.allclose(x.grad.double(), wide.grad, rtol=2e-2, atol=1e-3)
    assert torch.allclose(y.grad.double(), other.grad, rtol=2e-2, atol=1e-3)


def test_mse_loss_of_float32_and_float64_is_float64():
    assert F.mse_loss(torch.ones(3), torch.zeros(3, dtype=torch.float64)).dtype is torch.float64


def test_huber_loss_is_computed_in_the_common_type_but_its_derivative_wants_one_type():
    x = torch.ones(3, requires_grad=True)
    result = F.huber_loss(x, torch.zeros(3, dtype=torch.float64))
    assert result.dtype is torch.float32 and result.item() == 0.5
    with pytest.raises(RuntimeError, match="Found dtype Double but expected Float"):
        result.backward()


def test_addr_promotes_its_operands():
    made = torch.addr(torch.ones(2, 2), torch.tensor([1 + 2j, 3 - 1j]), torch.tensor([1j, 2.0]))
    assert made.tolist() == [[-1 + 1j, 3 + 4j], [2 + 3j, 7 - 2j]]


def test_addr_of_integers_refuses_a_fraction():
    whole = torch.ones(2, dtype=torch.int64)
    with pytest.raises(RuntimeError, match="argument beta must not be a floating point number"):
        torch.addr(torch.ones(2, 2, dtype=torch.int64), whole, whole, beta=0.5)


def test_addr_in_place_keeps_its_shape():
    with pytest.raises(RuntimeError, match=r"size mismatch, input: \[3, 2\], v1: \[2\], v2: \[2\]"):
        torch.ones(3, 2).addr_(torch.ones(2), torch.ones(2))


def test_addcmul_in_place_takes_operands_of_a_wider_type():
    x = torch.ones(2, 3, dtype=torch.float16)
    x.addcmul_(torch.ones(2, 3, dtype=torch.float16), torch.full((2, 3), 2.0, dtype=torch.float64))
    assert x.dtype is torch.float16 and x.tolist() == [[3.0] * 3] * 2


def test_attention_wants_one_type():
    q = torch.ones(1, 1, 2, 2)
    with pytest.raises(RuntimeError, match="Expected query, key, and value to have the same dtype"):
        F.scaled_dot_product_attention(q, torch.ones(1, 1, 2, 2, dtype=torch.int8), q)


def test_variances_of_halves_are_rounded_by_way_of_float32():
    row = torch.tensor([1.51171875, -0.456298828125, 0.350341796875], dtype=torch.float16)
    assert row.var(0).item() == 0.978515625  # by float64 alone it would be 0.97900390625
