"""A tensor as a recording remembers it: who it was and where its data lay."""

from __future__ import annotations

from ..record.objects import TensorFacts
from .tensor import Tensor, identity_of, shape_of, strides_of


def tensor_facts(tensor: Tensor | None) -> TensorFacts | None:
    """Identity and geometry of a tensor, without keeping it."""
    if tensor is None:
        return None
    address = tensor._mt_storage.address if tensor._mt_storage.nbytes else 0
    return TensorFacts(identity_of(tensor), address, shape_of(tensor), strides_of(tensor), tensor.dtype.name)
