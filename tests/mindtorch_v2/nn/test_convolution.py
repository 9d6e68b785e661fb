"""Convolutions, Fold, Unfold and lazy layers."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

from .cases.convolution import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_convolutions_compute_as_torch_does(name):
    check("convolution", name, CASES[name])


def test_the_step_of_a_size_of_one_may_be_any():
    weight = torch.arange(60.0).reshape(5, 4, 3)
    for line in (torch.ones(1, 1, 4).transpose(1, 2), torch.ones(4, 1, 1).transpose(0, 1)):
        assert torch.equal(torch.nn.functional.conv1d(line, weight, padding=1),
                           torch.nn.functional.conv1d(torch.ones(1, 4, 1), weight, padding=1))


def test_nothing_is_convolved_with_channels_that_lie_last():
    weight = torch.ones(2, 3, 3, 3).contiguous(memory_format=torch.channels_last)
    assert torch.nn.functional.conv2d(torch.ones(0, 3, 4, 4), weight, torch.ones(2)).shape == (0, 2, 2, 2)


def test_one_channel_that_lies_last_makes_channels_lie_last():
    image = torch.ones(2, 1, 4, 4).to(memory_format=torch.channels_last)
    assert torch.nn.functional.conv2d(image, torch.ones(2, 1, 3, 3)).stride() == (8, 1, 4, 2)


@pytest.mark.parametrize(("convolve", "shape", "kernel"), [
    ("conv1d", (2, 4, 10), (6, 4, 1)), ("conv2d", (2, 4, 6, 8), (6, 4, 1, 1)), ("conv2d", (2, 4, 8, 8), (6, 4, 3, 3)),
    ("conv3d", (2, 4, 4, 6, 8), (6, 4, 1, 1, 1)), ("conv_transpose2d", (2, 4, 6, 8), (4, 6, 1, 1))])
def test_inputs_with_gaps_have_the_gradients_of_their_copies(convolve, shape, kernel):
    convolve = getattr(torch.nn.functional, convolve)
    every_second = (..., *[slice(None, None, 2)] * (len(shape) - 2))
    x, weight = torch.randn(shape)[every_second], torch.randn(kernel, requires_grad=True)
    gradients = []
    for given in (x.detach(), x.clone(memory_format=torch.contiguous_format)):
        given.requires_grad_()
        gradients.append(torch.autograd.grad(convolve(given, weight).square().sum(), [given, weight]))
    for with_gaps, copied in zip(*gradients, strict=True):
        torch.testing.assert_close(with_gaps, copied)
