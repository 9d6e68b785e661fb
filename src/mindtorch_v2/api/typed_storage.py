"""Storages counted in elements of a type, which torch calls deprecated: Tensor.storage(), torch.FloatStorage."""

from __future__ import annotations

import operator
import sys
import warnings
from collections.abc import Callable, Sequence

import numpy as np

from ..core import dtype as dtypes
from ..core.tensor import Tensor, add_attribute
from ..ops.python.buffers import from_buffer
from ..ops.python.construct import from_data
from ..ops.python.sharing import is_for_a_process, new_shared, reduce_by_value
from ..ops.python.storage import UntypedStorage, untyped_storage

DEPRECATED = ("TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the only "
              "storage class. This should only matter to you if you are using storages directly.  To access "
              "UntypedStorage directly, use tensor.untyped_storage() instead of tensor.storage()")
_PACKAGE = __name__.partition(".")[0]
_warned = False


def _warn_typed_storage_removal(stacklevel: int = 2) -> None:
    """Say once per process that typed storages will go."""
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(DEPRECATED, UserWarning, stacklevel=stacklevel + 1)


class TypedStorage:
    """Bytes that tensors share, counted in elements of a type."""

    is_sparse = is_cuda = is_hpu = False

    def __init__(self, *args, wrap_storage: UntypedStorage | None = None, dtype: dtypes.DType | None = None,
                 device=None, _internal: bool = False):
        if not _internal:
            _warn_typed_storage_removal()
        if wrap_storage is not None and (args or dtype is None):
            raise RuntimeError("TypedStorage(wrap_storage=...) takes a dtype and nothing else; got "
                               f"{len(args)} values and dtype {dtype}")
        if wrap_storage is not None and not isinstance(wrap_storage, UntypedStorage):
            raise TypeError(f"Argument 'wrap_storage' must be UntypedStorage, but got {type(wrap_storage)}")
        self.dtype = dtype or dtypes.get_default_dtype()
        self._untyped_storage = _bytes_of(args, self.dtype, device) if wrap_storage is None else wrap_storage

    @property
    def device(self):
        return self._untyped_storage.device

    @property
    def filename(self) -> str | None:
        """The file that writes go to, if there is one."""
        return self._untyped_storage.filename

    @classmethod
    def from_buffer(cls, *args, dtype: dtypes.DType | None = None, device=None, **kwargs) -> TypedStorage:
        """The numbers of a buffer: ``from_buffer(buffer, byte_order, count, offset)``."""
        dtype = dtype or dtypes.get_default_dtype()
        untyped = from_buffer(*args, dtype=dtype, **kwargs)
        return _wrap(untyped if device is None else untyped.to(device=device), dtype)

    @classmethod
    def from_file(cls, filename: str, shared: bool, size: int) -> TypedStorage:
        """Refused: only torch.FloatStorage and its like know how many bytes so many elements are."""
        raise RuntimeError("from_file can only be called on derived classes")

    def untyped(self) -> UntypedStorage:
        return self._untyped_storage

    def elements(self) -> np.ndarray:
        """The memory as an array of elements; bytes that fill none are left out."""
        whole = self.size() * self.dtype.itemsize
        return self._untyped_storage.bytes()[:whole].view(self.dtype.numpy)

    def size(self) -> int:
        return self._untyped_storage.nbytes() // self.dtype.itemsize

    __len__ = size

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.nbytes()

    def nbytes(self) -> int:
        return self._untyped_storage.nbytes()

    def element_size(self) -> int:
        return self.dtype.itemsize

    def data_ptr(self) -> int:
        return self._untyped_storage.data_ptr()

    @property
    def _cdata(self) -> int:
        return self._untyped_storage._cdata

    def is_shared(self) -> bool:
        return self._untyped_storage.is_shared()

    def share_memory_(self) -> TypedStorage:
        """Move the memory to where other processes can see it."""
        self._untyped_storage.share_memory_()
        return self

    @classmethod
    def _new_shared(cls, size: int, *, dtype: dtypes.DType | None = None, device="cpu") -> TypedStorage:
        """Room for so many elements that other processes can be shown."""
        dtype = dtype or dtypes.get_default_dtype()
        return _wrap(new_shared(size * dtype.itemsize, device=device), dtype)

    def is_pinned(self, device="cuda") -> bool:
        return False

    def resizable(self) -> bool:
        return not self._untyped_storage.of.fixed

    def resize_(self, size: int) -> None:
        """Room for another number of elements."""
        self._untyped_storage.resize_(size * self.dtype.itemsize)

    def get_device(self) -> int | None:
        return self._untyped_storage.get_device()

    def to(self, *, device, non_blocking: bool = False) -> TypedStorage:
        """These elements, or a copy of them on another device."""
        return _wrap(self._untyped_storage.to(device=device, non_blocking=non_blocking), self.dtype)

    def cpu(self) -> TypedStorage:
        return self if self.device.type == "cpu" else _wrap(self._untyped_storage.cpu(), self.dtype)

    def tolist(self) -> list:
        return self.elements().tolist()

    def _position(self, index) -> int:
        if isinstance(index, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        if not isinstance(index, int):
            raise RuntimeError(f"can't index a {type(self)} with {type(index)}")
        if not -self.size() <= index < self.size():
            raise IndexError(f"index {index} out of range for storage of size {self.size()}")
        return index

    def __getitem__(self, index):
        return self.elements()[self._position(index)].tolist()

    def __setitem__(self, index, value) -> None:
        if isinstance(value, str):
            raise TypeError(f"can't assign a str to a torch.{self.dtype.short}Tensor")
        self.elements()[index if isinstance(index, slice) else self._position(index)] = value

    def __iter__(self):
        return iter(self.tolist())

    def fill_(self, value) -> TypedStorage:
        """Set every element to a value."""
        if self.device.type != "meta":
            self.elements()[...] = value
        return self

    def copy_(self, source: TypedStorage, non_blocking: bool | None = None) -> TypedStorage:
        """The bytes of another storage of the same size."""
        if source.nbytes() != self.nbytes():
            raise RuntimeError(f"size does not match, self was {self.nbytes()} bytes but src was {source.nbytes()} "
                               "bytes")
        self._untyped_storage.copy_(source)
        return self

    def type(self, dtype=None, non_blocking: bool = False):
        """The name of the storage's class, or a copy of another type."""
        if dtype is None:
            return f"torch.{self.dtype.short}Storage"
        name = dtype if isinstance(dtype, str) else f"torch.{dtype.__name__}"
        return self._cast(STORAGES[name.removeprefix("torch.")].dtype)

    def pickle_storage_type(self) -> str:
        """What the class of this storage is called in files."""
        name = f"{self.dtype.short}Storage"
        if name not in STORAGES:
            raise KeyError(f"dtype {self.dtype} is not recognized")
        return name

    _pickle_storage_type = pickle_storage_type

    def _cast(self, dtype: dtypes.DType) -> TypedStorage:
        return _wrap(untyped_storage(from_data(self.elements(), dtype, None, copy=True)), dtype)

    def clone(self) -> TypedStorage:
        return _wrap(self._untyped_storage.clone(), self.dtype)

    __copy__ = clone

    def __deepcopy__(self, memo: dict) -> TypedStorage:
        return _wrap(self._untyped_storage.__deepcopy__(memo), self.dtype)

    def __reduce__(self):
        if is_for_a_process(sys._getframe(1)):
            return _wrap, (self._untyped_storage, self.dtype)
        return reduce_by_value(self)

    def __repr__(self) -> str:
        lines = "..." if self._untyped_storage.of.device else "\n".join(f" {value}" for value in self.tolist())
        kind = f"torch.storage.TypedStorage(dtype={self.dtype!r}, device={self.device})"
        return f"{lines}\n[{kind} of size {self.size()}]"


def _wrap(untyped: UntypedStorage, dtype: dtypes.DType) -> TypedStorage:
    return TypedStorage(wrap_storage=untyped, dtype=dtype, _internal=True)


def _bytes_of(args: tuple, dtype: dtypes.DType, device) -> UntypedStorage:
    """The memory that a constructor's arguments ask for: nothing, a number of elements, or their values."""
    if len(args) > 1:
        raise RuntimeError("TypedStorage received too many positional arguments: one of no arguments, (int size) or "
                           "(Sequence data) is expected")
    if not args:
        return UntypedStorage(0, device=device)
    (data,) = args
    if isinstance(data, Sequence) and not isinstance(data, str):
        return untyped_storage(from_data(data, dtype, device, copy=True))
    try:
        count = operator.index(data)
    except TypeError:
        raise TypeError(f"Argument type not recognized: {type(data)}") from None
    return UntypedStorage(count * dtype.itemsize, device=device)


class LegacyStorage(type):
    """The class of torch.FloatStorage and its like: each makes typed storages of its type, and knows them."""

    def __instancecheck__(cls, instance) -> bool:
        return isinstance(instance, TypedStorage) and instance.dtype is cls.dtype

    def __repr__(cls) -> str:
        return f"<class 'torch.{cls.__name__}'>"


class _LegacyStorage(TypedStorage, metaclass=LegacyStorage):
    """What torch.FloatStorage and its like have in common; no storage is of such a class."""

    dtype: dtypes.DType

    def __new__(cls, *args, wrap_storage: UntypedStorage | None = None) -> TypedStorage:
        _warn_typed_storage_removal()
        return TypedStorage(*args, wrap_storage=wrap_storage, dtype=cls.dtype, _internal=True)

    @classmethod
    def from_buffer(cls, *args, **kwargs) -> TypedStorage:
        """The numbers of a buffer: ``from_buffer(buffer, byte_order, count, offset)``."""
        for name in ("dtype", "device"):
            if name in kwargs:
                raise RuntimeError(f"from_buffer: '{name}' can only be specified in UntypedStorage.from_buffer and "
                                   "TypedStorage.from_buffer")
        return TypedStorage.from_buffer(*args, dtype=cls.dtype, **kwargs)

    _from_buffer = from_buffer

    @classmethod
    def from_file(cls, filename: str, shared: bool, size: int) -> TypedStorage:
        """So many elements of a file, mapped: with ``shared``, writes go to the file."""
        return _wrap(UntypedStorage.from_file(filename, shared, size * cls.dtype.itemsize), cls.dtype)

    @classmethod
    def _new_shared(cls, size: int) -> TypedStorage:
        return TypedStorage._new_shared(size, dtype=cls.dtype)


def _legacy_storage(dtype: dtypes.DType) -> LegacyStorage:
    doc = f"Makes typed storages of {dtype!r}."
    return LegacyStorage(f"{dtype.short}Storage", (_LegacyStorage,),
                         {"dtype": dtype, "__module__": _PACKAGE, "__doc__": doc})


# torch's classes of storages, by name, and the methods that cast a storage to one of them.
STORAGES = {f"{dtype.short}Storage": _legacy_storage(dtype) for dtype in map(dtypes.by_name, (
    "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "bool", "bfloat16", "complex64",
    "complex128", "qint8", "quint8", "qint32", "quint4x2", "quint2x4"))}
# The methods that cast a storage, and to what.
CASTS = {"byte": "uint8", "char": "int8", "short": "int16", "int": "int32", "long": "int64", "half": "float16",
         "float": "float32", "double": "float64", "bool": "bool", "bfloat16": "bfloat16", "complex_float": "complex64",
         "complex_double": "complex128", **{name: name for name in (
             "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz")}}


def _untyped_as(self: UntypedStorage, dtype=None, non_blocking: bool = False):
    """The name of the class, or the bytes as numbers of another type, each byte a number."""
    if dtype is None:
        return "torch.storage.UntypedStorage"
    if dtype in (UntypedStorage, "torch.UntypedStorage", "torch.storage.UntypedStorage"):
        return self
    return _wrap(self, dtypes.uint8).type(dtype)


UntypedStorage.type = _untyped_as


def _casting(to: dtypes.DType) -> Callable:
    def method(self) -> TypedStorage:
        return (self if isinstance(self, TypedStorage) else _wrap(self, dtypes.uint8))._cast(to)
    return method


for _method, _name in CASTS.items():
    for _kind in (TypedStorage, UntypedStorage):
        setattr(_kind, _method, _casting(dtypes.by_name(_name)))


def _refusing(error: Exception) -> Callable:
    def method(self, *args, **kwargs):
        raise error
    return method


# Moves to devices that are not here.
for _method, _error in {
    "pin_memory": RuntimeError("Cannot access accelerator device when none is available."),
    "cuda": AssertionError("Torch not compiled with CUDA enabled"),
    "hpu": AssertionError("HPU device module is not loaded"),
    "mps": RuntimeError("torch.UntypedStorage(): Storage device not recognized: mps"),
}.items():
    for _kind in (TypedStorage, UntypedStorage):
        setattr(_kind, _method, _refusing(_error))


def storage(self: Tensor) -> TypedStorage:
    """The memory under the tensor, counted in its elements; torch asks to use untyped_storage() instead."""
    _warn_typed_storage_removal(stacklevel=2)
    return typed_storage(self)


def typed_storage(self: Tensor) -> TypedStorage:
    """The same without the warning."""
    return _wrap(untyped_storage(self), self.dtype)


def storage_type(self: Tensor) -> LegacyStorage:
    """The class of the tensor's storage, torch.FloatStorage for one."""
    _warn_typed_storage_removal(stacklevel=2)
    return STORAGES[f"{self.dtype.short}Storage"]


for _name, _value in {"storage": storage, "_typed_storage": typed_storage, "storage_type": storage_type}.items():
    add_attribute(_name, _value)
