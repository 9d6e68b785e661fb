"""Memory that grows: a storage moves to a larger place and takes every tensor that looks at it along."""

from __future__ import annotations

import gc

import numpy as np

from . import strided
from .fields import set_array
from .storage import replace
from .tensor import Tensor, offset_of, shape_of, strides_of

_BYTE = np.dtype(np.uint8)


def grow(tensor, count):
    """Room for so many elements under a tensor, after what was there; the caller describes the tensor anew."""
    storage = tensor._mt_storage
    if storage.fixed:
        raise RuntimeError("Trying to resize storage that is not resizable")
    others = () if strided.references(storage) == 2 else _others(tensor)
    owner = strided.empty((count,), tensor.dtype.numpy)
    if storage.nbytes:
        held = strided.window(storage.owner, _BYTE, (storage.nbytes,), (1,), 0, storage.nbytes)
        owner.view(_BYTE)[:storage.nbytes] = held
    replace(storage, owner)
    for other, offset in others:
        array = strided.window(owner, other.dtype.numpy, shape_of(other), strides_of(other), offset, storage.nbytes)
        set_array(other, array)


def _others(tensor: Tensor) -> list[tuple[Tensor, int]]:
    """The other tensors on a storage, and the element at which each begins.

    Nobody keeps a list of them, which every view would have to pay for: Python's collector knows all objects.
    """
    found = [t for t in gc.get_objects() if issubclass(type(t), Tensor) and t._mt_storage is tensor._mt_storage]
    return [(t, offset_of(t)) for t in found if t is not tensor]
