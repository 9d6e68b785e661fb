"""What a device offers. Adding one means a subclass of Backend and a call of ``register``; no op changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ..core.device import PLACES, add_device, device
from ..core.dtype import DType
from ..core.storage import Storage
from ..core.tensor import Tensor
from .kernel import arrays_of


class Backend:
    """A device: its kernels by name, its memory, copies to and from it, and waiting for its queue."""

    kernels: Mapping[str, Callable] = {}
    has_values = True  # what its kernels compute can be read

    def __init__(self, place: device):
        self.place = place
        self.number = len(PLACES)  # what storages on it say; given by register()

    def allocate(self, shape: tuple[int, ...], dtype: DType) -> tuple[np.ndarray, Storage]:
        """Memory without values: the array that shows it, and the storage that holds it."""
        raise NotImplementedError

    def run(self, name: str, args: tuple, out=None) -> None:
        """Run a kernel that writes into tensors among its arguments, or, if it is elementwise, into ``out``.

        It may only be begun when this returns.
        """
        kernel, arrays = self.kernel(name), arrays_of(args)
        if out is None:
            kernel(*arrays)
        else:
            kernel(*arrays, out=out._mt_array)

    def ask(self, name: str, args: tuple):
        """Run a kernel whose answer depends on values: a number, or an array whose shape does."""
        return self.kernel(name)(*arrays_of(args))

    def copy(self, into, source) -> None:
        """Copy a tensor to, from or within the device; shapes agree, types may differ."""
        raise NotImplementedError

    def tensor_of(self, array: np.ndarray, dtype: DType) -> Tensor:
        """A tensor on the memory that a kernel of this device made and returned."""
        raise NotImplementedError

    def synchronize(self) -> None:
        """Wait until everything that was begun is done."""

    def kernel(self, name: str) -> Callable:
        """The kernel of a name, or torch's complaint that there is none."""
        try:
            return self.kernels[name]
        except KeyError:
            raise NotImplementedError(
                f"Could not run 'aten::{name}' with arguments from the '{self.place.type}' backend. The device "
                f"'{self.place}' has no kernel '{name}'; move the tensors to the CPU, or add one to its kernels."
            ) from None


def register(backend: Backend) -> Backend:
    """Let tensors be on a device."""
    add_device(backend.place, backend)
    return backend
