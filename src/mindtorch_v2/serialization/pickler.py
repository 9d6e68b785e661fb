"""Pickle objects for a file: storages by number, everything of ours by torch's name for it."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from types import FunctionType
from typing import Any

from ..api.typed_storage import STORAGES, TypedStorage
from ..core import dtype as dtypes
from ..core.torch_names import torch_module
from ..ops.python.storage import UntypedStorage
from .locations import location_tag

FIRST_WITH_STACK_GLOBAL = 4  # protocol


class TorchPickler(pickle._Pickler):
    """Python's own pickler, which writes the names that PyTorch has for our classes and functions."""

    dispatch = dict(pickle._Pickler.dispatch)

    def save_global(self, obj, name: str | None = None) -> None:
        name = name or getattr(obj, "__qualname__", None) or obj.__name__
        module = torch_module(getattr(obj, "__module__", None) or type(obj).__module__, name)
        if module is None:
            super().save_global(obj, name)
            return
        if self.proto >= FIRST_WITH_STACK_GLOBAL:
            self.save(module)
            self.save(name)
            self.write(pickle.STACK_GLOBAL)
        else:
            self.write(pickle.GLOBAL + f"{module}\n{name}\n".encode())
        self.memoize(obj)

    dispatch[FunctionType] = save_global

    def reducer_override(self, obj):
        """Types of numbers go by their names."""
        return obj.name if isinstance(obj, dtypes.DType) else NotImplemented


def pickler(pickle_module: Any, file, protocol: int, persistent_id: Callable):
    """A pickler of a module's own class; other modules than Python's write our names as they stand."""
    base = TorchPickler if pickle_module is pickle else pickle_module.Pickler

    class Pickler(base):
        def persistent_id(self, obj):
            return persistent_id(obj)

    return Pickler(file, protocol=protocol)


class Storages:
    """The storages that a file refers to, each seen once however many tensors lie on it."""

    def __init__(self, number: Callable[[UntypedStorage, int], str]):
        self._number = number
        self.by_key: dict[str, tuple[UntypedStorage, dtypes.DType]] = {}
        self._keys: dict[int, str] = {}
        self._dtypes: dict[int, dtypes.DType] = {}

    def reference(self, obj: TypedStorage | UntypedStorage) -> tuple:
        """What stands in the pickle for a storage: its type, key, device and number of elements."""
        is_typed = isinstance(obj, TypedStorage)
        storage = obj._untyped_storage if is_typed else obj
        dtype = obj.dtype if is_typed else dtypes.uint8
        kind = STORAGES[obj._pickle_storage_type()] if is_typed else UntypedStorage
        address = storage.data_ptr()
        if address and self._dtypes.setdefault(address, dtype) is not dtype:
            raise RuntimeError("Cannot save multiple tensors or storages that view the same data as different types")
        key = self._keys.setdefault(storage._cdata, self._number(storage, len(self._keys)))
        self.by_key.setdefault(key, (storage, dtype))
        return "storage", kind, key, location_tag(storage), storage.nbytes() // dtype.itemsize
