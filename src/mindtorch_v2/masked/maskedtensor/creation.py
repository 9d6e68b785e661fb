"""Tensors with a mask from tensors."""

from __future__ import annotations

from ...autograd.function import Function
from ...core.tensor import Tensor
from .core import MaskedTensor, is_masked_tensor


class _Masked(Function):
    """Data with a mask; the gradient keeps its mask."""

    @staticmethod
    def forward(ctx, data: Tensor, mask: Tensor) -> MaskedTensor:
        return MaskedTensor(data.detach(), mask)

    @staticmethod
    def backward(ctx, grad: Tensor) -> tuple[Tensor, None]:
        return grad, None


def masked_tensor(data: Tensor, mask: Tensor, requires_grad: bool = False) -> MaskedTensor:
    """A leaf with a mask, made of copies."""
    if is_masked_tensor(data) or not isinstance(data, Tensor):
        raise TypeError("data must be a Tensor")
    return MaskedTensor(data.detach().clone(), mask.detach().clone(), requires_grad)


def as_masked_tensor(data: Tensor, mask: Tensor) -> MaskedTensor:
    """The same with the history of the data."""
    if is_masked_tensor(data) or not isinstance(data, Tensor):
        raise TypeError("data must be a Tensor")
    return _Masked.apply(data, mask)
