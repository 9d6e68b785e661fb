"""Parameters of one shape, set on a distribution that is being made."""

from __future__ import annotations

from ..core.size import Size
from .utils import _Number, broadcast_all


def set_parameters(distribution, **parameters) -> Size:
    """Broadcast the parameters, set them by name, and tell the shape of the batch: none where all are numbers."""
    tensors = broadcast_all(*parameters.values())
    for name, tensor in zip(parameters, tensors):
        setattr(distribution, name, tensor)
    if all(isinstance(value, _Number) for value in parameters.values()):
        return Size()
    return tensors[0].size()
