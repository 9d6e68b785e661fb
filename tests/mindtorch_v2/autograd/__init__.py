"""torch.autograd by subject; ``backward`` and ``grad`` themselves are in ../test_autograd_api.py."""

from __future__ import annotations

import mindtorch_v2 as torch


def leaf(*values: float):
    return torch.tensor(values, requires_grad=True)


class Cube(torch.autograd.Function):
    """x³ with its derivative written out."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 3 * x * x
