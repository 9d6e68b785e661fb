"""Images whose channels lie last stay so where PyTorch's do, with the same numbers and gradients."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.nn import functional as F  # noqa: N812  torch's users know it by this letter

LAST = (2048, 1, 128, 8)  # strides of (2, 8, 16, 16)
OPS = {
    "batch_norm": lambda x: F.batch_norm(x, torch.zeros(8), torch.ones(8), W, B, training=True),
    "batch_norm in evaluation": lambda x: F.batch_norm(x, torch.zeros(8), torch.ones(8), W, B),
    "group_norm": lambda x: F.group_norm(x, 2, W, B),
    "roll": lambda x: torch.roll(x, 1, 2),
    "cat": lambda x: torch.cat([x[:, :3], x[:, 3:]], 1),
}
torch.manual_seed(0)
W, B = torch.rand(8), torch.rand(8)


@pytest.mark.parametrize("name", OPS)
def test_results_and_gradients_keep_the_format(name):
    plain = torch.randn(2, 8, 16, 16, requires_grad=True)
    last = plain.detach().clone(memory_format=torch.channels_last).requires_grad_()
    weights = torch.randn(2, 8, 16, 16)
    for x in (plain, last):
        x.out = OPS[name](x)
        memory_format = torch.channels_last if x is last else torch.contiguous_format
        (x.out * weights.clone(memory_format=memory_format)).sum().backward()
    assert last.out.stride() == LAST and plain.out.is_contiguous()
    assert torch.allclose(last.out, plain.out, atol=1e-5) and torch.allclose(last.grad, plain.grad, atol=1e-5)


def test_cat_falls_back_to_c_order_where_formats_differ():
    x = torch.randn(2, 8, 16, 16)
    last = x.to(memory_format=torch.channels_last)
    assert torch.cat([last, last], 1).stride() == (4096, 1, 256, 16)
    assert torch.cat([last, x], 1).is_contiguous() and torch.cat([x, last], 1).is_contiguous()
    assert torch.stack([last, last]).stride() == (4096, 2048, 1, 128, 8)
    whole = torch.cat([last.long(), last.long()], 1)
    assert whole.stride() == (4096, 1, 256, 16) and torch.equal(whole[:, 8:], x.long())


def test_a_gradient_in_another_format_than_the_input():
    x = torch.randn(2, 8, 4, 4).to(memory_format=torch.channels_last).requires_grad_()
    grad = torch.randn(2, 8, 4, 4)
    F.batch_norm(x, None, None, W, B, training=True).backward(grad)
    y = x.detach().contiguous().requires_grad_()
    F.batch_norm(y, None, None, W, B, training=True).backward(grad)
    assert x.grad.stride() == (128, 1, 32, 8) and torch.allclose(x.grad, y.grad, atol=1e-5)


def test_volumes_keep_their_format():
    x = torch.randn(2, 4, 3, 5, 6).to(memory_format=torch.channels_last_3d)
    for out in (F.batch_norm(x, None, None, training=True), F.group_norm(x, 2), torch.cat([x, x], 0)):
        assert out.is_contiguous(memory_format=torch.channels_last_3d)
    assert torch.allclose(F.batch_norm(x, None, None, training=True),
                          F.batch_norm(x.contiguous(), None, None, training=True), atol=1e-5)


def test_dropout_draws_in_the_order_of_memory():
    torch.manual_seed(0)
    x = torch.ones(1, 2, 2, 2)
    last = F.dropout(torch.cat([x, x], 1).to(memory_format=torch.channels_last), 0.5)
    torch.manual_seed(0)
    assert torch.equal(last.permute(0, 2, 3, 1), F.dropout(torch.ones(1, 2, 2, 4), 0.5))
