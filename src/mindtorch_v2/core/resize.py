"""Memory that grows or shrinks: a storage moves and takes every tensor that looks at it along."""

from __future__ import annotations

import gc
import math
import mmap

import numpy as np

from . import strided
from .device import BACKENDS
from .dtype import uint8
from .fields import set_array
from .geometry import contiguous_strides, invalid_size
from .storage import replace
from .tensor import Tensor, offset_of, shape_of, strides_of, window_of

_BYTE = np.dtype(np.uint8)
LARGEST_SIZE = 2**63 - 1


def resize(tensor, size, channels_last=False):
    """Another shape from the same first element on; the storage grows where it must and keeps what it held."""
    offset = offset_of(tensor)
    count = offset + math.prod(size)
    if min(size, default=0) < 0 or count * tensor.dtype.itemsize > LARGEST_SIZE:
        raise invalid_size(size)
    if count * tensor.dtype.itemsize > tensor._mt_storage.nbytes:
        if not channels_last and awaits_memory(tensor):
            return give_memory(tensor, size)
        grow(tensor, count)
    strides = contiguous_strides((size[0], *size[2:], size[1]) if channels_last else size)
    if channels_last:
        strides = (strides[0], strides[-1], *strides[1:-1])
    set_array(tensor, window_of(tensor, size, strides, offset)._mt_array)
    return tensor


def awaits_memory(tensor) -> bool:
    """Whether a tensor has no memory yet, may be given some, and is the only one on its storage."""
    storage = tensor._mt_storage
    is_only_one = strided.references(storage) == 2  # the tensor and this variable
    return is_only_one and storage.nbytes == 0 and not (storage.device or storage.fixed)


def give_memory(tensor, size):
    """The same for a tensor that has no memory yet and that nobody else looks at, as an op's unfinished result."""
    if tensor._mt_storage.device or tensor._mt_storage.nbytes:
        return resize(tensor, size)
    array = strided.empty(size, tensor.dtype.numpy)
    replace(tensor._mt_storage, array)
    set_array(tensor, array)
    return tensor


def grow(tensor, count):
    """Room for so many elements under a tensor, after what was there; the caller describes the tensor anew."""
    storage = tensor._mt_storage
    _check_movable(storage)
    others = () if strided.references(storage) == 2 else [on for on in tensors_on(storage) if on[0] is not tensor]
    if storage.device:
        owner = BACKENDS[storage.device].allocate((count,), tensor.dtype)[0]
    else:
        owner = strided.empty((count,), tensor.dtype.numpy)
    _keep_bytes(storage, owner.view(_BYTE))
    replace(storage, owner)
    show_memory(owner, others)


def resize_storage(storage, nbytes):
    """Another number of bytes, of which those stay that there is room for.

    Tensors that reach past the new end keep their geometry: until the storage grows back they show zeros, which take
    no memory, and no view of them can be made.
    """
    _check_movable(storage)
    tensors = tensors_on(storage)
    reach = nbytes
    for tensor, offset in tensors:
        reach = max(reach, offset * tensor.dtype.itemsize + strided.span(tensor._mt_array))
    if storage.device:
        owner = BACKENDS[storage.device].allocate((reach,), uint8)[0]
    elif reach > nbytes:  # the system gives memory to those pages alone that are written
        owner = np.frombuffer(mmap.mmap(-1, reach), _BYTE)
    else:
        owner = strided.empty((nbytes,), _BYTE)
    _keep_bytes(storage, owner[:nbytes])
    replace(storage, owner[:nbytes])
    show_memory(owner, tensors)


def _check_movable(storage):
    if storage.fixed:
        raise RuntimeError("Trying to resize storage that is not resizable")


def _keep_bytes(storage, into):
    """Copy what a storage holds to the bytes that will take its place, as far as they go."""
    count = min(storage.nbytes, len(into))
    if count and into.flags.writeable:
        into[:count] = strided.window(storage.owner, _BYTE, (count,), (1,), 0, count)


def show_memory(owner, tensors):
    """Have tensors, with the element at which each begins, look at the memory of an array."""
    for tensor, offset in tensors:
        set_array(tensor, strided.window(owner, tensor.dtype.numpy, shape_of(tensor), strides_of(tensor), offset,
                                         strided.nbytes(owner)))


def tensors_on(storage) -> list[tuple[Tensor, int]]:
    """The tensors on a storage, and the element at which each begins.

    Nobody keeps a list of them, which every view would have to pay for: Python's collector knows all objects.
    """
    return [(t, offset_of(t)) for t in gc.get_objects() if issubclass(type(t), Tensor) and t._mt_storage is storage]
