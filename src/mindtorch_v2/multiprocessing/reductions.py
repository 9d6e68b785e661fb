"""How tensors and storages are written into messages between processes: where the other finds the memory."""

from __future__ import annotations

import contextlib
import os
import threading
import weakref
from collections.abc import Iterator
from multiprocessing.reduction import DupFd, ForkingPickler

from ..api.factory import require
from ..api.pickling import _rebuild_tensor, as_class
from ..api.typed_storage import TypedStorage, typed_storage
from ..autograd.hooks import warn_if_has_hooks
from ..core.shared_memory import NamedSharedMemory, SharedMemory, change_users
from ..core.sparse import is_sparse
from ..core.tensor import Tensor, offset_of, shape_of
from ..ops.python.sharing import memory_under, share, storage_on
from ..ops.python.storage import UntypedStorage

NOT_A_LEAF = ("Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd does not support "
              "crossing process boundaries.  If you just want to transfer the data, call detach() on the tensor before "
              "serializing (e.g., putting it on the queue).")

# Storages on shared memory that this process knows, by what names the memory in all processes.
shared_cache: weakref.WeakValueDictionary = weakref.WeakValueDictionary()


class StorageWeakRef:
    """A storage, as long as somebody else holds it; equal for all that stand for the same bytes."""

    __slots__ = ("_held", "cdata")

    def __init__(self, storage: UntypedStorage | TypedStorage):
        held = getattr(storage, "_untyped_storage", storage).of
        self.cdata, self._held = id(held), weakref.ref(held)

    @classmethod
    def from_weakref(cls, cdata: int) -> StorageWeakRef:
        raise NotImplementedError("a storage cannot be found by its number here; make a StorageWeakRef of the storage")

    def expired(self) -> bool:
        return self._held() is None

    def __hash__(self) -> int:
        return self.cdata

    def __eq__(self, other) -> bool:
        return id(self) == id(other) or isinstance(other, StorageWeakRef) and self.cdata == other.cdata


class _Message(threading.local):
    """Descriptors that travel beside the message that this thread writes or reads; None where they cannot."""

    descriptors: list[int] | None = None


_message = _Message()


@contextlib.contextmanager
def descriptors_beside(descriptors: list[int]) -> Iterator[None]:
    """While a message is written, put the descriptors of its storages into a list; while it is read, take them from it.

    Otherwise each is fetched from the process that wrote the message, which must still be there.
    """
    before, _message.descriptors = _message.descriptors, descriptors
    try:
        yield
    finally:
        _message.descriptors = before


class AttachedFd:
    """A descriptor that comes beside the message, by its number among them."""

    def __init__(self, fd: int):
        self.number = len(_message.descriptors)
        _message.descriptors.append(fd)

    def detach(self) -> int:
        fd, _message.descriptors[self.number] = _message.descriptors[self.number], -1
        return fd


def reduce_tensor(tensor: Tensor):
    """A tensor as its storage and what it shows of it."""
    if tensor.requires_grad and not tensor.is_leaf:
        raise RuntimeError(NOT_A_LEAF)
    warn_if_has_hooks(tensor)
    if not tensor.is_cpu or is_sparse(tensor):  # of which the parts are shared
        return tensor.__reduce_ex__(2)
    share(UntypedStorage(of=tensor._mt_storage), tensor)
    metadata = (offset_of(tensor), shape_of(tensor), tensor.stride(), tensor.requires_grad)
    return rebuild_tensor, (type(tensor), typed_storage(tensor), metadata)


def rebuild_tensor(cls: type, storage: TypedStorage, metadata: tuple) -> Tensor:
    """The tensor again, on the same memory."""
    storage_offset, size, stride, requires_grad = metadata
    tensor = _rebuild_tensor(storage, storage_offset, size, stride)
    if cls is not Tensor:
        tensor = as_class(cls, tensor)
    return require(tensor, requires_grad)


def fd_id(fd: int) -> tuple[int, int]:
    """What names a file in all processes."""
    stat = os.fstat(fd)
    return stat.st_ino, stat.st_dev


def storage_from_cache(cls: type, key) -> UntypedStorage | None:
    """The storage on memory that this process has mapped already."""
    held = shared_cache.get(key)
    return None if held is None else UntypedStorage(of=held)


def reduce_storage(storage: UntypedStorage):
    """A storage as the way to its memory, which is shared from now on."""
    if storage.device.type == "meta":
        raise RuntimeError("Cannot pickle meta storage; try pickling a meta tensor instead")
    if storage.nbytes() == 0:
        return rebuild_storage_empty, (UntypedStorage,)
    memory = memory_under(share(storage))
    if memory.name is not None:
        memory.add_user()  # the message, until it is read
        shared_cache[memory.name] = storage.of
        return rebuild_storage_filename, (UntypedStorage, None, memory.name, storage.nbytes())
    shared_cache[fd_id(memory.fd)] = storage.of
    handle = DupFd(memory.fd) if _message.descriptors is None else AttachedFd(memory.fd)
    return rebuild_storage_fd, (UntypedStorage, handle, storage.nbytes())


def rebuild_storage_fd(cls: type, df, size: int) -> UntypedStorage:
    """The storage behind a descriptor; the one that is there if this process has mapped it before."""
    fd = df.detach()
    key = fd_id(fd)
    storage = storage_from_cache(cls, key)
    if storage is None:
        storage = storage_on(SharedMemory(fd, size))
        shared_cache[key] = storage.of
    else:
        os.close(fd)
    return storage


def rebuild_storage_filename(cls: type, manager, handle: str, size: int, dtype=None) -> UntypedStorage:
    """The storage in a file; what the message counted as a user is this process from now on."""
    storage = storage_from_cache(cls, handle)
    if storage is not None:
        change_users(handle, -1)
        return storage
    storage = storage_on(NamedSharedMemory(handle, size))
    shared_cache[handle] = storage.of
    return storage


def rebuild_storage_empty(cls: type) -> UntypedStorage:
    return cls()


def reduce_typed_storage(storage: TypedStorage):
    return rebuild_typed_storage, (storage._untyped_storage, storage.dtype)


def rebuild_typed_storage(storage: UntypedStorage, dtype) -> TypedStorage:
    return TypedStorage(wrap_storage=storage, dtype=dtype, _internal=True)


def init_reductions() -> None:
    """Tell Python's multiprocessing; what it is not told of (parameters, subclasses) pickles into these."""
    for kind, reduce in {Tensor: reduce_tensor, UntypedStorage: reduce_storage,
                         TypedStorage: reduce_typed_storage}.items():
        ForkingPickler.register(kind, reduce)
