"""Read archives of named records, PyTorch's zip files: whole, record by record, or as places in a mapped file."""

from __future__ import annotations

import os
import struct
import zipfile
import zlib

from ..core.dtype import DType, uint8
from ..core.mode_stack import DisableTorchDispatch
from ..core.tensor import Tensor
from ..dispatch.dispatcher import call
from ..ops.create.factories import Empty
from ..ops.python.storage import untyped_storage
from .zip_writer import LOCAL_HEADER, padded_extra

OLDEST_VERSION, NEWEST_VERSION = 1, 10
HINT = (". This is an internal miniz error. If you are seeing this error, there is a high likelihood that your "
        "checkpoint file is corrupted. This can happen if the checkpoint was not saved properly, was transferred "
        "incorrectly, or the file was modified after saving.")
DAMAGED = (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, ValueError, OverflowError, struct.error,
           EOFError, IndexError)


class PyTorchFileReader:
    """The records of an archive by name."""

    def __init__(self, file):
        self._owns_file = isinstance(file, (str, os.PathLike))
        self._file = open(file, "rb") if self._owns_file else file
        try:
            self._entries = {}
            self._read_directory()
            self._check_version()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let the file go; one that was opened here is closed."""
        if self._owns_file:
            self._file.close()

    def _read_directory(self) -> None:
        try:
            entries = zipfile.ZipFile(self._file).infolist()
        except DAMAGED as error:
            raise RuntimeError("PytorchStreamReader failed reading zip archive: failed finding central directory"
                               + HINT) from error
        if not entries:
            raise RuntimeError("archive does not contain any files")
        folder, slash, _ = entries[0].filename.partition("/")
        if not slash:
            raise RuntimeError(f"file in archive is not in a subdirectory: {entries[0].filename}")
        self._folder = folder
        for entry in entries:
            if not entry.filename.startswith(f"{folder}/"):
                raise RuntimeError(f"file in archive is not in a subdirectory {folder}/: {entry.filename}")
            self._entries[entry.filename[len(folder) + 1:]] = entry

    def _check_version(self) -> None:
        if not (self.has_record("version") or self.has_record(".data/version")):
            raise RuntimeError('Expected hasRecord("version") to be true, but got false.  (Could this error message be '
                               "improved?  If so, please report an enhancement request to PyTorch.)")
        text = self.get_record(".data/version" if self.has_record(".data/version") else "version")
        try:
            version = int(text)
        except ValueError:
            raise RuntimeError(f"Couldn't parse the version {text.decode('latin-1')} as Long Long.") from None
        if version < OLDEST_VERSION:
            raise RuntimeError(
                f"Attempted to read a PyTorch file with version {version}, but the minimum supported version for "
                f"reading is {OLDEST_VERSION}. Your PyTorch script module file is too old. Please regenerate it with "
                "latest version of PyTorch to mitigate this issue.")
        if version > NEWEST_VERSION:
            raise RuntimeError(
                f"Attempted to read a PyTorch file with version {version}, but the maximum supported version for "
                f"reading is {NEWEST_VERSION}. The version of your PyTorch installation may be too old, please upgrade "
                "PyTorch to latest version to mitigate this issue.")

    def has_record(self, name: str) -> bool:
        return name in self._entries

    def get_all_records(self) -> list[str]:
        return list(self._entries)

    def get_record_size(self, name: str) -> int:
        return self._entry(name).file_size

    def get_record_header_offset(self, name: str) -> int:
        return self._entry(name).header_offset

    def get_record_offset(self, name: str) -> int:
        """Where the contents of a record begin."""
        entry = self._entry(name)
        try:
            self._file.seek(entry.header_offset)
            header = LOCAL_HEADER.unpack(self._file.read(LOCAL_HEADER.size))
        except (*DAMAGED, OSError) as error:
            raise _failed("reading", name, "invalid header or archive is corrupted") from error
        if header[0] != b"PK\3\4":
            raise _failed("reading", name, "invalid header or archive is corrupted")
        return entry.header_offset + LOCAL_HEADER.size + header[-2] + header[-1]

    def get_record_offset_no_read(self, header_offset: int, name: str, size: int, storage_alignment: int) -> int:
        """The same worked out from where the record's header is, without a look at the file."""
        path = len(f"{self._folder}/{name}".encode())
        return header_offset + LOCAL_HEADER.size + path + len(padded_extra(header_offset, path, size,
                                                                          storage_alignment))

    def get_record(self, name: str) -> bytes:
        """The contents of a record."""
        content = bytearray(self._checked_size(name))
        self.read_into(name, memoryview(content))
        return bytes(content)

    def get_storage_from_record(self, name: str, numel: int, dtype: DType = uint8) -> Tensor:
        """A record as a tensor of one dimension."""
        size, nbytes = self._checked_size(name), numel * dtype.itemsize
        if nbytes != size:
            raise RuntimeError(f"record size ({size} bytes) does not match expected size ({nbytes} bytes = {numel} "
                               f"elements * {dtype.itemsize} bytes/element) for dtype {dtype.short}")
        with DisableTorchDispatch():  # memory to read into, whatever a mode makes of new tensors
            tensor = call(Empty.op, ((numel,), dtype, None, None, None, None))
        if size:
            self.read_into(name, memoryview(untyped_storage(tensor).bytes()))
        return tensor

    def read_into(self, name: str, memory: memoryview) -> None:
        """Read a whole record, and check it where the archive has its checksum."""
        entry = self._entry(name)
        self._file.seek(self.get_record_offset(name))
        if entry.compress_type == zipfile.ZIP_STORED:
            _fill(self._file, memory, name)
        else:
            memory[:] = self._decompressed(entry, name)
        if entry.CRC and zlib.crc32(memory) != entry.CRC:
            raise _failed("reading", name, "CRC-32 check failed")

    def serialization_id(self) -> str:
        """Forty digits that were worked out from the records when they were written; older files have none."""
        name = ".data/serialization_id"
        return self.get_record(name).decode("latin-1") if self.has_record(name) else ""

    def _entry(self, name: str) -> zipfile.ZipInfo:
        if name not in self._entries:
            raise _failed("locating", name, "file not found")
        return self._entries[name]

    def _checked_size(self, name: str) -> int:
        """The size of a record, if the file can hold it at all: damage should not ask for all memory."""
        entry = self._entry(name)
        end = self._file.seek(0, os.SEEK_END)
        if entry.compress_size > end or (entry.compress_type == zipfile.ZIP_STORED and entry.file_size > end):
            raise _failed("reading", name, "file read failed")
        return entry.file_size

    def _decompressed(self, entry: zipfile.ZipInfo, name: str) -> bytes:
        if entry.compress_type != zipfile.ZIP_DEFLATED:
            raise _failed("reading", name, "unsupported method")
        try:
            content = zlib.decompressobj(-zlib.MAX_WBITS).decompress(self._file.read(entry.compress_size),
                                                                     entry.file_size)
        except zlib.error as error:
            raise _failed("reading", name, "decompression failed or archive is corrupted") from error
        if len(content) != entry.file_size:
            raise _failed("reading", name, "decompression failed or archive is corrupted")
        return content


def _failed(doing: str, name: str, reason: str) -> RuntimeError:
    return RuntimeError(f"PytorchStreamReader failed {doing} file {name}: {reason}{HINT}")


def _fill(file, memory: memoryview, name: str) -> None:
    """Read until the memory is full."""
    done = 0
    while done < len(memory):
        if hasattr(file, "readinto"):
            count = file.readinto(memory[done:])
        else:
            content = file.read(len(memory) - done)
            count = len(content)
            memory[done:done + count] = content
        if not count:
            raise _failed("reading", name, "file read failed")
        done += count
