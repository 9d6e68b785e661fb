"""Memory that grows: a storage moves to a larger place and takes every tensor that looks at it along."""

from __future__ import annotations

import gc
import sys

import numpy as np

from .strided import make_view
from .tensor import Tensor

_BYTE = np.dtype(np.uint8)
_ALONE = 2  # references to a storage with one tensor: that tensor's, and the one under which it is asked about


def grow(tensor: Tensor, count: int) -> None:
    """Room for so many elements under a tensor, after what was there; the caller describes the tensor anew."""
    if tensor.storage.fixed:
        raise RuntimeError("Trying to resize storage that is not resizable")
    others = [] if sys.getrefcount(tensor.storage) == _ALONE else _others(tensor)
    storage = tensor.storage
    owner = np.empty(count, tensor.dtype.numpy)
    owner.view(_BYTE)[:storage.nbytes] = make_view(storage.owner, _BYTE, (storage.nbytes,), (1,), 0)
    storage.replace(owner)
    for other, offset in others:
        other.array = make_view(owner, other.array.dtype, other.array.shape, other.array.strides, offset)


def _others(tensor: Tensor) -> list[tuple[Tensor, int]]:
    """The other tensors on a storage, and the byte at which each begins.

    Nobody keeps a list of them, which every view would have to pay for: Python's collector knows all objects.
    """
    found = [t for t in gc.get_objects() if issubclass(type(t), Tensor) and t.storage is tensor.storage]
    return [(t, t.offset() * t.dtype.itemsize) for t in found if t is not tensor]
