"""What distributions share: arguments of one shape, probabilities and their logarithms, properties worked out once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import Any

from ..api.functions import torch
from ..autograd.grad_mode import enable_grad
from ..core.device import device
from ..core.dtype import DType, finfo, get_default_dtype
from ..core.tensor import Tensor
from ..nn.functional import softmax

__all__ = ["broadcast_all", "clamp_probs", "lazy_property", "logits_to_probs", "probs_to_logits", "tril_matrix_to_vec",
           "vec_to_tril_matrix"]

Number = int | float | bool
_Number = (int, float, bool)
euler_constant = 0.57721566490153286060  # Euler and Mascheroni's


def is_tensor_like(value: Any) -> bool:
    return isinstance(value, Tensor) or hasattr(value, "__torch_function__")


def broadcast_all(*values: Tensor | Number) -> tuple[Tensor, ...]:
    """Numbers and tensors as tensors of one shape; numbers take the type of the first tensor."""
    if not all(is_tensor_like(v) or isinstance(v, _Number) for v in values):
        raise ValueError("Input arguments must all be instances of Number, torch.Tensor or objects implementing "
                         "__torch_function__.")
    if not all(is_tensor_like(v) for v in values):
        options: dict[str, Any] = {"dtype": get_default_dtype()}
        for value in values:
            if isinstance(value, Tensor):
                options = {"dtype": value.dtype, "device": value.device}
                break
        values = tuple(v if is_tensor_like(v) else torch.tensor(v, **options) for v in values)
    return torch.broadcast_tensors(*values)


def _standard_normal(shape: Sequence[int], dtype: DType | None, device: device | str | None) -> Tensor:
    return torch.empty(shape, dtype=dtype, device=device).normal_()


def _sum_rightmost(value: Tensor, dim: int) -> Tensor:
    """The sum over the last ``dim`` dimensions."""
    if dim == 0:
        return value
    return value.reshape(value.shape[:-dim] + (-1,)).sum(-1)


def logits_to_probs(logits: Tensor, is_binary: bool = False) -> Tensor:
    """Probabilities of log-odds, or of unnormalised logarithms along the last dimension."""
    return torch.sigmoid(logits) if is_binary else softmax(logits, dim=-1)


def clamp_probs(probs: Tensor) -> Tensor:
    """Probabilities kept away from 0 and 1 by the smallest step of their type."""
    eps = finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs: Tensor, is_binary: bool = False) -> Tensor:
    """Log-odds, or logarithms, of probabilities."""
    clamped = clamp_probs(probs)
    return torch.log(clamped) - torch.log1p(-clamped) if is_binary else torch.log(clamped)


class lazy_property:  # noqa: N801  torch's name
    """A property that is worked out once, with gradients, and then is an attribute of the instance."""

    def __init__(self, wrapped: Callable) -> None:
        self.wrapped = wrapped
        update_wrapper(self, wrapped)

    def __get__(self, instance, obj_type: Any = None):
        if instance is None:
            return _lazy_property_and_property(self.wrapped)
        with enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value


class _lazy_property_and_property(lazy_property, property):  # noqa: N801
    """A lazy property seen on the class: tools that read docs take it for a property."""

    def __init__(self, wrapped: Callable) -> None:
        property.__init__(self, wrapped)


def _lower_triangle(n: int, diag: int, device) -> Tensor:
    """Which elements of an n x n matrix lie on or below a diagonal."""
    positions = torch.arange(n, device=device)
    return positions < positions.view(-1, 1) + (diag + 1)


def tril_matrix_to_vec(mat: Tensor, diag: int = 0) -> Tensor:
    """The elements on and below a diagonal of square matrices, row by row."""
    n = mat.shape[-1]
    if not -n <= diag < n:
        raise ValueError(f"diag ({diag}) provided is outside [{-n}, {n - 1}].")
    return mat[..., _lower_triangle(n, diag, mat.device)]


def vec_to_tril_matrix(vec: Tensor, diag: int = 0) -> Tensor:
    """Square matrices with the elements of vectors on and below a diagonal, zeros above."""
    length = vec.shape[-1]
    # The number of elements, n(n + 1)/2 and a corner more or less, solved for n.
    corner = abs(diag) * (diag + 1)
    square = (1 + 2 * diag) ** 2 + 8 * length + 4 * corner
    n = (math.isqrt(square) - (1 + 2 * diag)) // 2
    if math.isqrt(square) ** 2 != square:
        raise ValueError(f"The size of last dimension is {length} which cannot be expressed as the lower triangular "
                         "part of a square D x D matrix.")
    mat = vec.new_zeros(vec.shape[:-1] + (n, n))
    mat[..., _lower_triangle(n, diag, vec.device)] = vec
    return mat
