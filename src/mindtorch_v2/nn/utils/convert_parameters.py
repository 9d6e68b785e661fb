"""Parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable

from ...api.install import FUNCTIONS
from ...core.tensor import Tensor
from ...ops.python.queries import typename

NO_ACCELERATOR = -1


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All parameters, one after the other."""
    parts, first = [], None
    for param in parameters:
        first = _same_device(param, first)
        parts.append(param.view(-1))
    return FUNCTIONS["cat"](parts)


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Give parameters their part of a vector; they share its memory."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {typename(vec)}")
    at, first = 0, None
    for param in parameters:
        first = _same_device(param, first)
        count = param.numel()
        param.data = vec[at:at + count].view_as(param).data
        at += count


def _same_device(param: Tensor, first: int | None) -> int:
    """The number of the accelerator that a parameter is on, which must be that of the first; no accelerator is -1."""
    place = param.device
    number = NO_ACCELERATOR if place.type in ("cpu", "meta") else place.index or 0
    if first is not None and number != first:
        raise TypeError("Found two parameters on different devices, this is currently not supported.")
    return number
