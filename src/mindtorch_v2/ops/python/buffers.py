"""Storage.from_buffer: numbers in Python's buffers, copied into a storage and turned into this machine's byte order."""

from __future__ import annotations

import sys

import numpy as np

from ...core import dtype as dtypes
from .storage import UntypedStorage

BYTE_ORDERS = ("big", "little", "native")
# Types whose numbers are one byte, whatever its order.
_SINGLE_BYTES = ("uint8", "int8")


def from_buffer(buffer, byte_order: str | None = None, count: int = -1, offset: int = 0, *,
                dtype: dtypes.DType | None = None) -> UntypedStorage:
    """The numbers of a buffer from a byte on; all that follow unless ``count`` says how many."""
    if dtype is None:
        raise RuntimeError("argument 'dtype' cannot be None")
    if byte_order is None:
        if dtype.name not in _SINGLE_BYTES:
            raise RuntimeError("function missing required argument 'byte_order' (pos 2)")
        byte_order = "native"
    if byte_order not in BYTE_ORDERS:
        raise ValueError(f"invalid byte_order '{byte_order}' (expected 'big', 'little', or 'native')")
    content = _part(_bytes_of(buffer), count, offset, dtype.itemsize)
    storage = UntypedStorage(content.nbytes)
    storage.bytes()[...] = content if dtype is not dtypes.bool_ else content != 0
    if byte_order not in ("native", sys.byteorder):
        storage.byteswap(dtype)
    return storage


def _bytes_of(buffer) -> np.ndarray:
    try:
        return np.frombuffer(memoryview(buffer).cast("B"), np.uint8)
    except TypeError:
        raise TypeError(f"a bytes-like object is required, not '{type(buffer).__name__}'") from None


def _part(content: np.ndarray, count: int, offset: int, itemsize: int) -> np.ndarray:
    if not 0 <= offset <= len(content):
        raise ValueError(f"offset must be non-negative and no greater than buffer length ({len(content)}) , but got "
                         f"{offset}")
    available = len(content) - offset
    if count < 0 and available % itemsize:
        raise ValueError(f"buffer size ({len(content)}) must be a multiple of element size ({itemsize})")
    if count * itemsize > available:
        raise ValueError(f"buffer has only {available // itemsize} elements after offset {offset}, but specified a "
                         f"size of {count}")
    return content[offset:] if count < 0 else content[offset:offset + count * itemsize]


UntypedStorage.from_buffer = staticmethod(from_buffer)
