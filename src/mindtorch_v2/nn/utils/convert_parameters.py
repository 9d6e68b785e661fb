"""Parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable

from ...core.tensor import Tensor
from ...dispatch.aten import aten
from ...ops.python.queries import typename


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All parameters, one after the other."""
    return aten.cat([param.view(-1) for param in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Give parameters their part of a vector; they share its memory."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {typename(vec)}")
    at = 0
    for param in parameters:
        count = param.numel()
        param.data = vec[at:at + count].view_as(param)
        at += count
