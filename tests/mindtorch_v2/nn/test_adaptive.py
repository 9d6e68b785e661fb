"""Layers and functions of classes, distances and noise."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import nn
from mindtorch_v2.nn import functional

from .cases.adaptive import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_layers_compute_as_torch_does(name):
    check("adaptive", name, CASES[name])


def test_a_batch_in_pieces_gives_the_same_loss_as_a_whole_one():
    x, w, y = torch.randn(5, 4), torch.randn(3, 4), torch.tensor([0, 1, 2, 1, 0])
    options = nn.LinearCrossEntropyOptions(batch_chunk_size=2)
    assert functional.linear_cross_entropy(x, w, y, options=options) == functional.linear_cross_entropy(x, w, y)


def test_noise_is_written_and_the_way_back_uses_it():
    x, noise = torch.full((50,), -1.0, requires_grad=True), torch.zeros(50)
    torch.ops.aten.rrelu_with_noise(x, noise, 0.1, 0.3, True).sum().backward()
    assert x.grad.tolist() == noise.tolist()
    assert ((noise >= 0.1) & (noise <= 0.3)).all()
