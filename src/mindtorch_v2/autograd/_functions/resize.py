"""Resize: a tensor in another shape with as many elements."""

from __future__ import annotations

import math

from ...core.tensor import Tensor
from ..function import Function


class Resize(Function):
    """``Resize.apply(tensor, sizes)``; torch keeps it for old programs."""

    @staticmethod
    def forward(ctx, tensor: Tensor, sizes: tuple[int, ...]) -> Tensor:
        ctx.sizes, ctx.input_sizes = sizes, tensor.size()
        if math.prod(sizes) != tensor.numel():
            raise RuntimeError(f"requested resize to {'x'.join(map(str, sizes))} ({math.prod(sizes)} elements in "
                               f"total), but the given tensor has a size of {'x'.join(map(str, tensor.size()))} "
                               f"({tensor.numel()} elements). autograd's resize can only change the shape of a given "
                               "tensor, while preserving the number of elements. ")
        if tensor.is_contiguous():
            return tensor.detach().contiguous().view(*sizes)
        return tensor.contiguous().view(*sizes)

    @staticmethod
    def backward(ctx, grad_output: Tensor):
        return grad_output.contiguous().view(ctx.input_sizes), None
