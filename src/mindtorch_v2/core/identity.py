"""A tensor as a recording remembers it: who it was and where its data lay."""

from __future__ import annotations

from ..record.objects import TensorFacts
from .tensor import Tensor


def tensor_facts(tensor: Tensor | None) -> TensorFacts | None:
    """Identity and geometry of a tensor, without keeping it."""
    if tensor is None:
        return None
    return TensorFacts(id(tensor), tensor.storage.address, tuple(tensor.shape), tuple(tensor.stride()),
                       tensor.dtype.name)
