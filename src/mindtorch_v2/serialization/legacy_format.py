"""The format before PyTorch 1.6: pickles one after the other, then the storages' bytes."""

from __future__ import annotations

import struct
import sys
import tarfile
from typing import Any

import numpy as np

from ..api.pickling import checked_when_read
from ..api.typed_storage import TypedStorage
from ..core import dtype as dtypes
from ..nn import Module
from ..ops.python.storage import UntypedStorage
from . import weights_only
from .container_source import check_source, source_of
from .locations import restorer
from .pickler import Storages, pickler
from .skipping import is_data_skipped
from .unpickler import unpickler

MAGIC_NUMBER = 0x1950A86A20F9469CFC6C
PROTOCOL_VERSION = 1001
COUNT = struct.Struct("<q")  # of elements, before the bytes of a storage
SYSTEM = {"protocol_version": PROTOCOL_VERSION, "little_endian": sys.byteorder == "little",
          "type_sizes": {"short": 2, "int": 4, "long": 4}}


def save(obj: object, file, pickle_module: Any, protocol: int) -> None:
    """Write an object in the older format."""
    storages = Storages(lambda storage, count: str(storage._cdata))
    seen: set[type] = set()

    def persistent_id(part):
        if isinstance(part, type) and issubclass(part, Module) and part not in seen:
            seen.add(part)
            return "module", part, *source_of(part)
        return (*storages.reference(part), None) if isinstance(part, (TypedStorage, UntypedStorage)) else None

    for header in (MAGIC_NUMBER, PROTOCOL_VERSION, SYSTEM):
        pickle_module.dump(header, file, protocol=protocol)
    pickler(pickle_module, file, protocol, persistent_id).dump(obj)
    keys = sorted(storages.by_key)
    pickle_module.dump(keys, file, protocol=protocol)
    for key in keys:
        storage, dtype = storages.by_key[key]
        file.write(COUNT.pack(storage.nbytes() // dtype.itemsize))
        file.write(memoryview(storage.cpu().bytes()))


def load(file, map_location, pickle_module: Any, arguments: dict):
    """Read an object in the older format."""
    _refuse_tar(file, pickle_module)
    storages = LoadedStorages(map_location)
    for wanted, complaint in ((MAGIC_NUMBER, "Invalid magic number; corrupt file?"),
                              (PROTOCOL_VERSION, "Invalid protocol version: {}")):
        header = pickle_module.load(file, **arguments)
        if header != wanted:
            raise RuntimeError(complaint.format(header))
    pickle_module.load(file, **arguments)  # about the machine that wrote the file
    with checked_when_read():
        loaded = unpickler(pickle_module, file, storages.persistent_load, arguments).load()
        for key in pickle_module.load(file, **arguments):
            storages.read(file, key)
    return loaded


def _refuse_tar(file, pickle_module: Any) -> None:
    """Files of PyTorch before 0.1.12 are tar archives."""
    start = file.tell()
    try:
        is_tar = start == 0 and tarfile.is_tarfile(file)
    finally:
        file.seek(start)
    if is_tar:
        from .loading import UNSAFE_MESSAGE
        if pickle_module is weights_only:
            raise RuntimeError("Cannot use ``weights_only=True`` with files saved in the legacy .tar format. "
                               + UNSAFE_MESSAGE)
        raise RuntimeError("this file is a tar archive, as PyTorch before 0.1.12 wrote them, which mindtorch_v2 does "
                           "not read; load it with a PyTorch that does and save it again")


class LoadedStorages:
    """The storages that the pickle speaks of, made first and filled when their bytes come."""

    def __init__(self, map_location):
        self._restore = restorer(map_location)
        self._by_key: dict[str, TypedStorage] = {}
        self._memory: dict[str, UntypedStorage] = {}

    def persistent_load(self, saved_id):
        if not isinstance(saved_id, tuple):
            raise AssertionError(f"saved_id must be a tuple, got {type(saved_id).__name__}")
        kind, *facts = saved_id
        kind = kind.decode("ascii") if isinstance(kind, bytes) else kind
        if kind == "module":
            if all(facts[1:]):
                check_source(*facts)
            return facts[0]
        if kind != "storage":
            raise RuntimeError(f"Unknown saved id type: {kind}")
        return self._storage(*facts)

    def _storage(self, storage_type, key, location, numel: int, view: tuple | None) -> TypedStorage | UntypedStorage:
        dtype = dtypes.uint8 if storage_type is UntypedStorage else storage_type.dtype
        location = location.decode("ascii") if isinstance(location, bytes) else location
        if key not in self._by_key:
            self._memory[key] = UntypedStorage(numel * dtype.itemsize)
            placed = self._restore(self._memory[key], location)
            self._by_key[key] = TypedStorage(wrap_storage=placed, dtype=dtype, _internal=True)
        whole = self._by_key[key]
        if view is None:
            return whole._untyped_storage if storage_type is UntypedStorage else whole
        view_key, start, count = view
        if view_key not in self._by_key:
            part = whole._untyped_storage[start * dtype.itemsize:(start + count) * dtype.itemsize]
            self._by_key[view_key] = TypedStorage(wrap_storage=part, dtype=dtype, _internal=True)
        return self._by_key[view_key]

    def read(self, file, key: str) -> None:
        """Fill a storage from the file."""
        if key not in self._memory:
            raise AssertionError(f"storage key {key!r} not found in deserialized_objects")
        storage, typed = self._memory[key], self._by_key[key]
        if is_data_skipped():
            return
        count = file.read(COUNT.size)
        if len(count) < COUNT.size:
            raise RuntimeError(f"unexpected EOF, expected {COUNT.size - len(count)} more bytes. The file might be "
                               "corrupted.")
        nbytes = COUNT.unpack(count)[0] * typed.dtype.itemsize
        if nbytes != storage.nbytes():
            raise RuntimeError(f"storage has wrong byte size: expected {storage.nbytes()} got {nbytes}")
        content = file.read(nbytes)
        if len(content) < nbytes:
            raise RuntimeError(f"unexpected EOF, expected {nbytes - len(content)} more bytes. The file might be "
                               "corrupted.")
        storage.bytes()[...] = np.frombuffer(content, np.uint8)
        if typed._untyped_storage.device.type not in ("cpu", "meta"):
            typed._untyped_storage.copy_(storage)
