# cython: annotation_typing=False
"""The bytes under a tensor: storages as Python sees them, set_(), and ``.data``."""

from __future__ import annotations

import math
import mmap

import numpy as np

from ...core import dtype as dtypes
from ...core.device import CPU, PLACES, as_device
from ...core.fields import set_data
from ...core.geometry import contiguous_strides
from ...core.kinds import check_single
from ...core.resize import grow, resize_storage
from ...core.storage import Storage, Version, hold
from ...core.strided import make_window
from ...core.tensor import Tensor, add_attribute, blank, identity_of, offset_of, place_of, window_of
from ...dispatch.dispatcher import call
from ...dispatch.errors import out_of_memory
from ...dispatch.python_dispatch import kept
from ...opdef.form import Op
from ...opdef.scalars import C_TYPES
from ..create.copy import Copy
from ..create.factories import LARGEST_INT64, Empty

_BYTE = np.dtype(np.uint8)


class UntypedStorage:
    """Bytes that tensors share."""

    is_sparse = is_sparse_csr = is_hpu = False

    def __init__(self, size: int = 0, *, device=None, of: Storage | None = None):
        if of is None and device is not None and as_device(device) != CPU:
            of = call(Empty.op, ((size,), dtypes.uint8, None, as_device(device), None, None))._mt_storage
        if of is None:
            try:
                of = blank((size,), dtypes.uint8)._mt_storage
            except MemoryError as error:
                raise RuntimeError(out_of_memory(error)) from error
        self.of = of
        self._filename = None

    def nbytes(self) -> int:
        return self.of.nbytes

    size = nbytes
    __len__ = nbytes

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.of.nbytes

    def data_ptr(self) -> int:
        return self.of.address if self.of.nbytes and self.device.type != "meta" else 0

    @property
    def device(self):
        return PLACES[self.of.device]

    @property
    def is_cuda(self) -> bool:
        return False

    @property
    def filename(self) -> str | None:
        """The file that writes go to, if there is one."""
        return self._filename

    def element_size(self) -> int:
        return 1

    def bytes(self) -> np.ndarray:
        """The memory as an array of bytes."""
        if self.of.device:
            raise NotImplementedError(f"Not available for '{self.device}' device type")
        return make_window(self.of.owner, _BYTE, (self.of.nbytes,), (1,), 0, self.of.nbytes)

    @classmethod
    def from_file(cls, filename: str, shared: bool = False, nbytes: int = 0) -> UntypedStorage:
        """The bytes of a file, mapped: with ``shared``, writes go to the file, which is made as large as wanted."""
        storage = cls(of=hold(np.frombuffer(mapped_file(filename, shared, nbytes), np.uint8), False))
        storage._filename = str(filename) if shared else None
        return storage

    def cpu(self) -> UntypedStorage:
        """These bytes, or a copy of them on the CPU."""
        return self.to(device=CPU)

    def to(self, *, device, non_blocking: bool = False) -> UntypedStorage:
        """These bytes, or a copy of them on another device."""
        place = as_device(device)
        return self if place == self.device else untyped_storage(as_bytes(self).to(place))

    def copy_(self, source, non_blocking: bool | None = None) -> UntypedStorage:
        """The bytes of another storage of the same size."""
        source = source.untyped()
        if source.nbytes() != self.nbytes():
            raise RuntimeError(f"size does not match, self was {self.nbytes()} bytes but src was {source.nbytes()} "
                               "bytes")
        call(Copy.op, (as_bytes(self), as_bytes(source), False))
        return self

    def byteswap(self, dtype: dtypes.DType) -> None:
        """Turn the bytes of every number around; a complex one is two."""
        size = dtype.itemsize // (2 if dtype.is_complex else 1)
        numbers = self.bytes()[:self.nbytes() // size * size].reshape(-1, size)
        numbers[...] = numbers[:, ::-1]

    def resizable(self) -> bool:
        return not self.of.fixed

    def resize_(self, size: int) -> UntypedStorage:
        """Another number of bytes; tensors that reach past the end show nothing until it grows back."""
        if not isinstance(size, int):
            raise RuntimeError(f"resize_ expects an int, but got {type(size).__name__}")
        if size < 0:
            raise RuntimeError(f"resize_ expects a number of bytes, but got {size}")
        resize_storage(self.of, size)
        return self

    def new(self) -> UntypedStorage:
        """A storage without bytes."""
        return UntypedStorage(0, device=self.device)

    def get_device(self) -> int | None:
        return self.device.index

    def is_pinned(self, device="cuda") -> bool:
        return False

    def tolist(self) -> list[int]:
        return self.bytes().tolist()

    @property
    def _cdata(self) -> int:
        """The same number for every Python object on these bytes."""
        return id(self.of)

    def untyped(self) -> UntypedStorage:
        return self

    def __getitem__(self, index):
        if isinstance(index, slice):
            if index.step not in (None, 1):
                raise RuntimeError(f"Trying to slice with a step of {index.step}, but only a step of 1 is supported")
            return UntypedStorage(of=hold(self.bytes()[index], False))
        return int(self.bytes()[self._position(index)])

    def __setitem__(self, index, value: int) -> None:
        self.bytes()[index if isinstance(index, slice) else self._position(index)] = value

    def _position(self, index: int) -> int:
        if not isinstance(index, int):
            raise TypeError(f"can't index a torch.UntypedStorage with {type(index).__name__}")
        if not -self.nbytes() <= index < self.nbytes():
            raise IndexError(f"index {index} out of range for storage of size {self.nbytes()}")
        return index

    def fill_(self, value: int) -> UntypedStorage:
        """Set every byte to a value."""
        if self.device.type != "meta":
            self.bytes()[...] = value
        return self

    def __iter__(self):
        return iter(self.tolist())

    def __eq__(self, other) -> bool:
        return isinstance(other, UntypedStorage) and self.of is other.of

    def __hash__(self) -> int:
        return id(self.of)

    def clone(self) -> UntypedStorage:
        """The same bytes elsewhere; torch copies them as two tensors of bytes."""
        copied = UntypedStorage(self.nbytes())
        into, source = as_bytes(copied), as_bytes(self)
        call(Copy.op, (into, source, False))
        return copied

    def __copy__(self) -> UntypedStorage:
        return self.clone()

    def __deepcopy__(self, memo: dict) -> UntypedStorage:
        if id(self.of) not in memo:
            memo[id(self.of)] = self.clone()
        return memo[id(self.of)]

    def __repr__(self) -> str:
        lines = "..." if self.of.device else "\n".join(f" {value}" for value in self.tolist())
        return f"{lines}\n[torch.storage.UntypedStorage(device={self.device}) of size {self.nbytes()}]"


def mapped_file(filename: str, shared: bool, nbytes: int) -> mmap.mmap:
    """A file in memory; writes go to the file if it is shared, else they stay here."""
    with open(filename, "a+b" if shared else "rb") as file:
        size = file.seek(0, 2)
        if nbytes > size:
            if not shared:
                raise RuntimeError(f"file <{filename}> size <{size}> is smaller than the required mapping size "
                                   f"<{nbytes}>")
            file.truncate(nbytes)
        flags = mmap.MAP_SHARED if shared else mmap.MAP_PRIVATE
        return mmap.mmap(file.fileno(), nbytes or size, flags, mmap.PROT_READ | mmap.PROT_WRITE)


def as_bytes(storage: UntypedStorage) -> Tensor:
    """A storage as a tensor of bytes."""
    return call(SetStorage.op, (call(Empty.op, ((0,), dtypes.uint8, None, None, None, None)), storage))


def is_storage(obj) -> bool:
    """Whether an object is a storage, typed or not."""
    return isinstance(getattr(obj, "_untyped_storage", obj), UntypedStorage)


def of_storage(storage, dtype: dtypes.DType | None) -> Tensor:
    """A storage as a tensor of one dimension, its bytes read as a type: that of a typed storage where none is given."""
    dtype = dtype or getattr(storage, "dtype", dtypes.uint8)
    return call(SetStorage.op, (call(Empty.op, ((0,), dtype, None, None, None, None)), storage))


def untyped_storage(self: Tensor) -> UntypedStorage:
    """The bytes under the tensor."""
    check_single(self, "Cannot access storage of BatchedTensorImpl", NotImplementedError)
    if self._mt_kind is not None:
        self._mt_kind.check_memory("storage")
    return UntypedStorage(of=self._mt_storage)


def _check_reach(size: tuple, stride: tuple, reach_bytes: int, offset: int) -> None:
    """Refuse what no address reaches."""
    if min(size, default=0) < 0 or math.prod(size) > LARGEST_INT64:
        raise RuntimeError("numel: integer multiplication overflow")
    if min(stride, default=0) < 0 or not 0 <= max(reach_bytes, offset) <= LARGEST_INT64:
        told = f" and strides={list(stride)}" if stride != contiguous_strides(size) else ""
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(size)}{told}")


def place(self: Tensor, storage: Storage, offset: int, size: tuple, stride: tuple) -> Tensor:
    """Show other bytes in the same tensor; the storage grows where it is too small, as torch's does."""
    if len(size) != len(stride):
        raise RuntimeError(f"unequal size length ({len(size)}) and stride length ({len(stride)})")
    seen = blank((0,), self.dtype)
    set_data(seen, storage, seen._mt_array, self.dtype)
    last = offset + sum((n - 1) * step for n, step in zip(size, stride))
    if offset >= 0:
        _check_reach(size, stride, (last + 1) * self.dtype.itemsize, offset)
    is_valid = offset >= 0 and min((*size, *stride), default=0) >= 0
    if is_valid and 0 not in size and (last + 1) * self.dtype.itemsize > storage.nbytes:
        grow(seen, last + 1)
    set_data(self, storage, window_of(seen, size, stride, offset)._mt_array, self.dtype)
    self._mt_accumulator = None  # graphs of what it was lead to the old one
    return self


class SetTensor(Op):
    """The tensor shows what another shows from now on."""

    schema = "set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!)"
    overlap = "expanded shares_inputs"
    variants = "method"
    below = "re-describes a tensor"

    def meta(self, source):
        if source.dtype is not self.dtype:
            raise RuntimeError(f"Could not set tensor of type {dtypes.C_NAMES[source.dtype.name]} to a tensor of type "
                               f"{dtypes.C_NAMES[self.dtype.name]}")

    def body(self, source):
        if self is source:
            return self
        geometry = (offset_of(source), source._mt_array.shape, source.stride())
        return call(SetStorageAt.op, (self, untyped_storage(source), *geometry))


class SetTensorAt(Op):
    """The tensor shows a part of another's storage from now on."""

    schema = ("set_.source_Tensor_storage_offset(Tensor(a!) self, Tensor source, SymInt storage_offset, SymInt[] size, "
              "SymInt[] stride=[]) -> Tensor(a!)")
    overlap = "expanded shares_inputs"
    variants = "method"
    below = "re-describes a tensor"

    def body(self, source, storage_offset, size, stride):
        return call(SetStorageAt.op, (self, untyped_storage(source), storage_offset, size, stride))


def check_type(self: Tensor, source, expected: str) -> None:
    """Refuse a storage of another type; untyped ones go with all."""
    kind = getattr(source, "dtype", self.dtype)
    if kind is not self.dtype:
        raise RuntimeError(f"Expected a Storage of type {expected} or an UntypedStorage, but got type {kind.short} for "
                           "argument 1 'storage'")


class SetStorageAt(Op):
    """The tensor shows a part of a storage from now on."""

    schema = ("set_.source_Storage_storage_offset(Tensor(a!) self, Storage source, SymInt storage_offset, SymInt[] "
              "size, SymInt[] stride=[]) -> Tensor(a!)")
    overlap = "expanded"
    variants = "method"
    below = "re-describes a tensor"

    def meta(self, source, storage_offset, size, stride):
        if not isinstance(getattr(source, "_untyped_storage", source), UntypedStorage):
            raise TypeError(f"set_(): argument 'source' must be a storage or a tensor, not {type(source).__name__}")
        check_type(self, source, C_TYPES.get(self.dtype.name, self.dtype.name))

    def body(self, source, storage_offset, size, stride):
        storage = getattr(source, "_untyped_storage", source)  # a typed storage stands on one
        return place(self, storage.of, storage_offset, size, stride or contiguous_strides(size))


class SetStorage(Op):
    """The tensor shows all of a storage from now on."""

    schema = "set_.source_Storage(Tensor(a!) self, Storage source) -> Tensor(a!)"
    overlap = "expanded"
    variants = "method"
    below = "re-describes a tensor"

    def body(self, source):
        check_type(self, source, C_TYPES.get(self.dtype.name, self.dtype.name))
        return call(SetStorageAt.op, (self, source, 0, (source.nbytes() // self.dtype.itemsize,), (1,)))


class SetNothing(Op):
    """The tensor shows nothing from now on."""

    schema = "set_(Tensor(a!) self) -> Tensor(a!)"
    overlap = "expanded"
    variants = "method"
    below = "re-describes a tensor"

    def body(self):
        return call(SetStorageAt.op, (self, UntypedStorage(), 0, (0,), (1,)))


class CanTakeOver(Op):
    """Whether ``self.data = from`` can be done: on one device, strided tensors can always."""

    schema = "_has_compatible_shallow_copy_type(Tensor self, Tensor from) -> bool"
    below = "answers a question"

    def body(self, other):
        return place_of(self) == place_of(other)


def get_data(self: Tensor) -> Tensor:
    """The same memory in a tensor that autograd knows nothing of, with a count of writes of its own."""
    check_single(self, "accessing `data` under vmap transform is not allowed")
    detached = kept(self)
    detached._mt_version = Version()
    return detached


def set_data_of(self: Tensor, other: Tensor) -> None:
    check_single(self, "mutating directly with `.data` under vmap transform is not allowed.")
    if not isinstance(other, Tensor):
        raise TypeError(f"Variable data has to be a tensor, but got {type(other).__name__}")
    if self.layout is not other.layout or not call(CanTakeOver.op, (self, other)):
        raise RuntimeError("Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have "
                           "incompatible tensor type.")
    if self._mt_requires and not (other.is_floating_point() or other.is_complex()):
        raise RuntimeError("data set to a tensor that requires gradients must be floating point or complex dtype")
    if other.dtype is not self.dtype:
        self._mt_accumulator = None
    set_data(self, other._mt_storage, other._mt_array, other.dtype)


def _del_data(self: Tensor) -> None:
    raise RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!")


for _name, _value in {"untyped_storage": untyped_storage, "data": property(get_data, set_data_of, _del_data),
                      "_cdata": property(identity_of)}.items():
    add_attribute(_name, _value)
