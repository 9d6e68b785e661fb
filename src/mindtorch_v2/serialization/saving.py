"""torch.save: objects into a file of PyTorch's, whole or not at all."""

from __future__ import annotations

import io
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..api.typed_storage import TypedStorage
from ..ops.python.storage import UntypedStorage
from . import config, legacy_format
from .pickle_modules import check_dill_version
from .pickler import Storages, pickler
from .skipping import is_data_skipped
from .zip_writer import PyTorchFileWriter

DEFAULT_PROTOCOL = 2
READ_AND_WRITE = 0o666


def save(obj: object, f, pickle_module: Any = pickle, pickle_protocol: int = DEFAULT_PROTOCOL,
         _use_new_zipfile_serialization: bool = True, _disable_byteorder_record: bool = False) -> None:
    """Save an object to a path or a file object; a path is replaced when everything is written, not before."""
    check_dill_version(pickle_module)
    is_path = isinstance(f, (str, os.PathLike))
    if not is_path and not hasattr(f, "write"):
        raise AttributeError("expected 'f' to be string, path, or a file-like object with a 'write' attribute")
    if is_data_skipped() and not _use_new_zipfile_serialization:
        raise RuntimeError("Cannot use skip_data=True with _use_new_zipfile_serialization=False")
    if is_path and _use_new_zipfile_serialization:
        _check_path(os.fspath(f))
    with replaced(os.fspath(f)) if is_path else _flushed(f) as file:
        if not _use_new_zipfile_serialization:
            legacy_format.save(obj, file, pickle_module, pickle_protocol)
            return
        writer = PyTorchFileWriter(file, config.save.compute_crc32, config.save.storage_alignment)
        if is_path:
            writer.name_after(f)
        _write(obj, writer, pickle_module, pickle_protocol, not _disable_byteorder_record)


def _write(obj: object, writer: PyTorchFileWriter, pickle_module: Any, protocol: int, with_byteorder: bool) -> None:
    """The records of an object: its pickle, what readers must know, and its storages."""
    storages = Storages(lambda storage, count: str(count))

    def persistent_id(part):
        return storages.reference(part) if isinstance(part, (TypedStorage, UntypedStorage)) else None

    pickled = io.BytesIO()
    pickler(pickle_module, pickled, protocol, persistent_id).dump(obj)
    writer.write_record("data.pkl", pickled.getbuffer(), len(pickled.getbuffer()))
    writer.write_text(".format_version", "1")
    writer.write_text(".storage_alignment", str(config.save.storage_alignment))
    if with_byteorder:
        writer.write_text("byteorder", sys.byteorder)
    for key, (storage, _) in storages.by_key.items():
        if is_data_skipped():
            writer.write_record_metadata(f"data/{key}", storage.nbytes())
        else:
            writer.write_record(f"data/{key}", storage.cpu(), storage.nbytes())
    writer.write_end_of_file()


def _check_path(path: str) -> None:
    parent = os.path.dirname(path)
    if parent and not os.path.isdir(parent):
        raise RuntimeError(f"Parent directory {parent} does not exist.")
    if os.path.isdir(path):
        raise RuntimeError(f"open file failed with strerror: Is a directory: {path}")


@contextmanager
def _flushed(file) -> Iterator:
    yield file
    if hasattr(file, "flush"):
        file.flush()


@contextmanager
def replaced(path: str) -> Iterator:
    """A file beside the path that takes its place when the block has ended well; else the path stays as it was."""
    path = os.path.realpath(path)  # a link stays one
    mode = _mode_of(path)
    if mode is not None and not stat.S_ISREG(mode):  # /dev/null, a pipe: nothing to be replaced
        with open(path, "wb") as file:
            yield file
        return
    handle, beside = tempfile.mkstemp(prefix=f".{os.path.basename(path)}.", suffix=".tmp", dir=os.path.dirname(path))
    try:
        with open(handle, "wb") as file:
            yield file
        os.chmod(beside, _usual_mode() if mode is None else stat.S_IMODE(mode))
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


def _mode_of(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _usual_mode() -> int:
    """The rights that a new file gets."""
    mask = os.umask(0)
    os.umask(mask)
    return READ_AND_WRITE & ~mask
