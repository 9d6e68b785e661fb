"""The device without memory: tensors have shape, type and strides but no values, and kernels do nothing.

Its arrays show one stretch of address space that can be read, as zeros, but not written and that takes no memory. So
every view works as elsewhere, and code that reached for values would see zeros or be refused by NumPy. Only arrays
that are larger than the whole stretch show what is not there.
"""

from __future__ import annotations

import math
import mmap

import numpy as np

from ..core import strided
from ..core.device import device
from ..core.dtype import DType
from ..core.geometry import contiguous_strides
from ..core.storage import Storage, place
from .backend import Backend, register
from .facts import ValuesNeededError

LARGEST_RESERVE = 2**45
NO_DATA = "Cannot copy out of meta tensor; no data!"
# What torch says of work whose answer depends on values, by kernel.
REFUSALS = {
    "item": (RuntimeError, "Tensor.item() cannot be called on meta tensors"),
    "tolist": (NotImplementedError, NO_DATA),
}
# Answers that only become values of a result, of which there are none here: any number does.
STAND_INS = {"largest": 0, "smallest": 0, "dot": 0, "vdot": 0}


def _reserve() -> np.ndarray:
    """Address space for the values that nobody has; as much as the system gives."""
    size = LARGEST_RESERVE
    while True:
        try:
            return np.frombuffer(mmap.mmap(-1, size, prot=mmap.PROT_READ, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS),
                                 np.uint8)
        except (OSError, OverflowError):
            size //= 2


class Meta(Backend):
    """Shapes and types alone."""

    has_values = False

    def __init__(self):
        super().__init__(device("meta"))
        self._reserved: np.ndarray | None = None

    def allocate(self, shape: tuple[int, ...], dtype: DType) -> tuple[np.ndarray, Storage]:
        if self._reserved is None:
            self._reserved = _reserve()
        nbytes = math.prod(shape) * dtype.itemsize
        array = strided.make_unread(self._reserved, dtype.numpy, tuple(shape), contiguous_strides(shape), nbytes)
        return array, place(array, nbytes, self.number)

    def run(self, name: str, args: tuple, out=None) -> None:
        pass

    def ask(self, name: str, args: tuple):
        if name in STAND_INS:
            return STAND_INS[name]
        if name in REFUSALS:
            kind, text = REFUSALS[name]
            raise kind(text)
        raise ValuesNeededError(name)

    def copy(self, into, source) -> None:
        if not into.is_meta:
            raise NotImplementedError(NO_DATA)


META = register(Meta())
