"""Storages that several processes see: share_memory_(), is_shared() and the handles by which memory is handed on."""

from __future__ import annotations

import importlib
import os
import sys
from types import FrameType

from ...core.device import CPU, as_device
from ...core.resize import show_memory, tensors_on
from ...core.storage import fix, hold, swap
from ...core.tensor import Tensor, add_attribute, offset_of
from ...dispatch.dispatcher import call
from ..create.copy import Copy
from .storage import UntypedStorage, as_bytes

_PACKAGE = __name__.partition(".")[0]
REDUCTIONS = f"{_PACKAGE}.multiprocessing.reductions"
BY_VALUE = f"{_PACKAGE}.serialization.by_value"
STRATEGIES = {"file_descriptor", "file_system"} if sys.platform != "darwin" else {"file_system"}
# To the storage of one tensor in share(): the tensor, its Python object, the variable, and the count's own.
_OWN_REFERENCES = 4

class Strategy:
    """How memory is shared from now on: by descriptors or by names of files."""

    current = "file_descriptor" if "file_descriptor" in STRATEGIES else "file_system"


def memory_under(storage: UntypedStorage):
    """The shared memory under a storage, or None."""
    from ...core.shared_memory import shared_memory_of
    return shared_memory_of(storage.of.owner)


def is_shared(self: UntypedStorage) -> bool:
    """Whether other processes can see the bytes."""
    return memory_under(self) is not None


def storage_on(memory) -> UntypedStorage:
    """A storage on shared memory; its bytes count as allocated for a tensor, as torch counts them."""
    held = hold(memory.array(), True)
    fix(held)
    return UntypedStorage(of=held)


def new_shared(nbytes: int, *, device=CPU) -> UntypedStorage:
    """Zeros that other processes can be shown."""
    from ...core.shared_memory import NamedSharedMemory, SharedMemory
    if as_device(device) != CPU:
        raise RuntimeError(f"only memory of the host can be shared, got device '{device}'")
    return storage_on((NamedSharedMemory if Strategy.current == "file_system" else SharedMemory).new(nbytes))


def share(self: UntypedStorage, tensor: Tensor | None = None) -> UntypedStorage:
    """Move the bytes to where other processes can see them, with all tensors on them, unless they are there.

    A tensor that is given and alone on its storage spares a search for others.
    """
    held = self.of
    if held.device:
        kind = "filename" if Strategy.current == "file_system" else "fd"
        raise RuntimeError(f"_share_{kind}_: only available on CPU")
    if is_shared(self):
        return self
    is_alone = tensor is not None and sys.getrefcount(held) <= _OWN_REFERENCES
    moved = [(tensor, offset_of(tensor))] if is_alone else tensors_on(held)
    shared = new_shared(self.nbytes())
    into, source = as_bytes(shared), as_bytes(self)
    call(Copy.op, (into, source, False))
    del into, source
    swap(held, shared.of)
    show_memory(held.owner, moved)
    return self


def reduce_storage(self: UntypedStorage):
    """How pickle writes a storage: its bytes, or where processes exchange messages, where the others find them."""
    if is_for_a_process(sys._getframe(1)):
        return importlib.import_module(REDUCTIONS).reduce_storage(self)
    return reduce_by_value(self)


def is_for_a_process(pickling: FrameType) -> bool:
    """Whether what pickles is a message between processes.

    torch.multiprocessing tells Python's multiprocessing what to do then; programs may never have imported it.
    """
    return pickling.f_globals.get("__name__") == "multiprocessing.reduction"


def reduce_by_value(storage) -> tuple:
    """A function, and a file of the storage's bytes for it."""
    return importlib.import_module(BY_VALUE).reduce_by_value(storage)


def tensor_share_memory(self: Tensor) -> Tensor:
    """Move the tensor's memory to where other processes can see it."""
    if self._mt_kind is not None:
        self._mt_kind.check_memory("storage")
    share(UntypedStorage(of=self._mt_storage), self)
    return self


def tensor_is_shared(self: Tensor) -> bool:
    """Whether other processes can see the tensor's memory."""
    return is_shared(UntypedStorage(of=self._mt_storage))


def share_fd(self: UntypedStorage) -> tuple[int, int]:
    """The descriptor and size of the memory, which is shared from now on."""
    share(self)
    return memory_under(self).fd, self.nbytes()


def new_shared_fd(fd: int, size: int) -> UntypedStorage:
    """A storage on the shared memory behind a descriptor."""
    from ...core.shared_memory import SharedMemory
    return storage_on(SharedMemory(os.dup(fd), size))


for _name, _value in {
    "is_shared": is_shared, "share_memory_": share, "_share_fd_cpu_": share_fd,
    "_new_shared": staticmethod(new_shared), "_new_shared_fd_cpu": staticmethod(new_shared_fd),
    "__reduce__": reduce_storage,
}.items():
    setattr(UntypedStorage, _name, _value)
add_attribute("share_memory_", tensor_share_memory)
add_attribute("is_shared", tensor_is_shared)
