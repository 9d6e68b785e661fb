"""A tensor as a recording remembers it: who it was and where its data lay."""

from __future__ import annotations

from ..record.objects import TensorFacts
from .device import recorded_address
from .storage import Storage
from .tensor import Tensor, identity_of, shape_of, strides_of


def address_of(storage: Storage) -> int:
    """Where a storage lies, as recordings keep it; 0 if it has no memory."""
    return recorded_address(storage.device, storage.address) if storage.nbytes else 0


def tensor_facts(tensor: Tensor | None) -> TensorFacts | None:
    """Identity and geometry of a tensor, without keeping it."""
    if tensor is None:
        return None
    return TensorFacts(identity_of(tensor), address_of(tensor._mt_storage), shape_of(tensor), strides_of(tensor),
                       tensor.dtype.name)
