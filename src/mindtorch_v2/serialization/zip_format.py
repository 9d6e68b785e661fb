"""Load the zip format: the pickle of an archive, with storages read, mapped or left out."""

from __future__ import annotations

import io
import os
import sys
from mmap import MAP_SHARED
from typing import Any

from ..api.typed_storage import TypedStorage
from ..core import dtype as dtypes
from ..ops.python.storage import UntypedStorage, untyped_storage
from . import config
from .config import LoadEndianness
from .locations import is_meta, restorer
from .skipping import is_data_skipped
from .unpickler import unpickler
from .zip_reader import PyTorchFileReader

BYTE_ORDERS = {LoadEndianness.LITTLE: "little", LoadEndianness.BIG: "big", LoadEndianness.NATIVE: sys.byteorder,
               None: "little"}


def load(archive: PyTorchFileReader, map_location, pickle_module: Any, mapped_path: str | None, arguments: dict):
    """The object of an archive; from a mapped path, tensors lie in the file."""
    storages = Storages(archive, map_location, mapped_path)
    pickled = io.BytesIO(archive.get_record("data.pkl"))
    return unpickler(pickle_module, pickled, storages.persistent_load, arguments).load()


class Storages:
    """The storages of an archive by key, each made once."""

    def __init__(self, archive: PyTorchFileReader, map_location, mapped_path: str | None):
        self._archive = archive
        self._restore = restorer(map_location)
        self._is_meta = is_meta(map_location)
        self._is_swapped = _byte_order(archive) != sys.byteorder
        self._loaded: dict[str, TypedStorage] = {}
        self._file = None
        if mapped_path is not None:
            is_shared = config.load.mmap_flags == MAP_SHARED
            self._file = UntypedStorage.from_file(mapped_path, is_shared, os.path.getsize(mapped_path))

    def persistent_load(self, saved_id) -> TypedStorage:
        """The storage that the pickle speaks of."""
        if not isinstance(saved_id, tuple):
            raise AssertionError(f"saved_id must be a tuple, got {type(saved_id).__name__}")
        kind, *facts = saved_id
        kind = kind.decode("ascii") if isinstance(kind, bytes) else kind
        if kind != "storage":
            raise AssertionError(f"Unknown typename for persistent_load, expected 'storage' but got '{kind}'")
        storage_type, key, location, numel = facts
        if key in self._loaded:
            return self._loaded[key]
        dtype = dtypes.uint8 if storage_type is UntypedStorage else storage_type.dtype
        location = location.decode("ascii") if isinstance(location, bytes) else location
        storage = self._placed(f"data/{key}", dtype, numel * dtype.itemsize, location)
        typed = TypedStorage(wrap_storage=storage, dtype=dtype, _internal=True)
        if storage.data_ptr():
            self._loaded[key] = typed
        return typed

    def _placed(self, name: str, dtype: dtypes.DType, nbytes: int, location: str) -> UntypedStorage:
        """A storage on the device where it is wanted."""
        if self._is_meta:
            return UntypedStorage(nbytes, device="meta")
        if is_data_skipped():
            storage = UntypedStorage(nbytes)
        elif self._file is not None:
            storage = self._mapped(name, nbytes)
        else:
            storage = untyped_storage(self._archive.get_storage_from_record(name, nbytes))
        if self._is_swapped:
            storage.byteswap(dtype)
        return self._restore(storage, location)

    def _mapped(self, name: str, nbytes: int) -> UntypedStorage:
        start = self._archive.get_record_offset(name)
        if not 0 <= start <= start + nbytes <= self._file.nbytes():
            raise RuntimeError(f"record {name} lies at bytes {start} to {start + nbytes} of a file of "
                               f"{self._file.nbytes()} bytes: the file is damaged")
        return self._file[start:start + nbytes]


def _byte_order(archive: PyTorchFileReader) -> str:
    if not archive.has_record("byteorder"):
        return BYTE_ORDERS[config.load.endianness]
    order = archive.get_record("byteorder").decode("latin-1")
    if order not in ("little", "big"):
        raise ValueError(f"Unknown endianness type: {order}")
    return order
