"""Normalization of channels by a batch, by each of its samples, and by their neighbours."""

from __future__ import annotations

from math import prod

from ...core.overrides import asked, overridden
from ...core.tensor import Tensor
from ...dispatch.aten import aten
from .layers import pad
from .pooling import avg_pool2d, avg_pool3d


def batch_norm(input: Tensor, running_mean: Tensor | None, running_var: Tensor | None, weight: Tensor | None = None,
               bias: Tensor | None = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-5) -> Tensor:
    """Mean zero and variance one in each channel, over the batch or by running statistics."""
    if asked(input, running_mean, running_var, weight, bias):
        return overridden(batch_norm, locals())
    if training and input.size(0) * prod(input.shape[2:]) == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {input.size()}")
    if training and eps <= 0.0:
        raise ValueError(f"batch_norm eps must be positive during training, but got {eps}")
    if eps < 0.0:
        raise ValueError(f"batch_norm eps must be non-negative, but got {eps}")
    return aten.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, True)


def instance_norm(input: Tensor, running_mean: Tensor | None = None, running_var: Tensor | None = None,
                  weight: Tensor | None = None, bias: Tensor | None = None, use_input_stats: bool = True,
                  momentum: float = 0.1, eps: float = 1e-5) -> Tensor:
    """Mean zero and variance one in each channel of each sample."""
    if asked(input, running_mean, running_var, weight, bias):
        return overridden(instance_norm, locals())
    if use_input_stats and prod(input.shape[2:]) == 1:
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.size()}")
    return aten.instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, True)


def local_response_norm(input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Tensor:
    """Every value made smaller by the mean square over neighbouring channels."""
    if asked(input):
        return overridden(local_response_norm, locals())
    if input.dim() < 3:
        gap = " " * 26  # torch's sentence has it
        raise ValueError(f"Expected 3D or higher dimensionality{gap}input (got {input.dim()} dimensions)")
    if input.numel() == 0:
        return input
    before, after = size // 2, (size - 1) // 2
    means = input.mul(input)  # by one name: each step lets go of the one before
    if input.dim() == 3:
        means = pad(means.unsqueeze(1), (0, 0, before, after))
        means = avg_pool2d(means, (size, 1), stride=1).squeeze(1)
    else:
        shape = input.size()
        means = pad(means.view(shape[0], 1, shape[1], shape[2], -1), (0, 0, 0, 0, before, after))
        means = avg_pool3d(means, (size, 1, 1), stride=1).squeeze(1).view(shape)
    means = means.mul(alpha).add(k).pow(beta)
    return input / means
