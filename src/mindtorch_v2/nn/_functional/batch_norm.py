"""Normalization of channels by a batch, and by each of its samples."""

from __future__ import annotations

from math import prod

from ...core.overrides import asked, overridden
from ...core.tensor import Tensor
from ...dispatch.aten import aten


def batch_norm(input: Tensor, running_mean: Tensor | None, running_var: Tensor | None, weight: Tensor | None = None,
               bias: Tensor | None = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-5) -> Tensor:
    """Mean zero and variance one in each channel, over the batch or by running statistics."""
    if asked(input, running_mean, running_var, weight, bias):
        return overridden(batch_norm, locals())
    if training and input.size(0) * prod(input.shape[2:]) == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {input.size()}")
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
