"""Write archives of named records as PyTorch's C++ does: a zip file of stored entries, each aligned for mapping."""

from __future__ import annotations

import os
import struct
import sys
import zlib

from ..ops.python.storage import UntypedStorage
from .serialization_id import mixed, serialization_id

ALIGNMENT = 64
PRODUCED_VERSION = 3
NAMES_ARE_UTF8, SIZES_FOLLOW = 0x800, 0x8  # flags of an entry
LARGEST_32_BIT = 0xFFFFFFFF
MADE_BY, ZIP64_NEEDED = 0x031E, 45  # what PyTorch's zip library writes
LOCAL_HEADER = struct.Struct("<4s5H3I2H")
CENTRAL_HEADER = struct.Struct("<4s6H3I5H2I")
ZIP64_END = struct.Struct("<4sQ2H2I4Q")
ZIP64_LOCATOR = struct.Struct("<4sIQI")
END = struct.Struct("<4s4H2IH")
PADDING_TAG = b"FB"
CHUNK = 1 << 20


class PyTorchFileWriter:
    """Records under one folder of an archive, in the order they are written."""

    def __init__(self, file, compute_crc32: bool = True, alignment: int = ALIGNMENT):
        self._name = "archive"
        self._owns_file = isinstance(file, (str, os.PathLike))
        self._file = open(file, "wb") if self._owns_file else file
        if self._owns_file:
            self.name_after(file)
        self._computes_crc32 = compute_crc32
        self._alignment = alignment
        self._position = 0
        self._version = PRODUCED_VERSION
        self._entries: list[tuple[bytes, int, int, int]] = []  # name, crc, size, where its header is
        self._written: list[str] = []
        self._crc_of_all = 0

    def name_after(self, path: str | os.PathLike) -> None:
        """Call the folder of all records as the file is called that they will be in."""
        self._name = os.path.splitext(os.path.basename(os.fspath(path)))[0]

    def archive_name(self) -> str:
        return self._name

    def get_all_written_records(self) -> set[str]:
        return set(self._written)

    def serialization_id(self) -> str:
        return serialization_id(self._written, self._crc_of_all)

    def write_record(self, name: str, data, size: int) -> None:
        """One entry: text, bytes or a storage, of which the first ``size`` bytes are written."""
        if isinstance(data, str):
            data = data.encode()
        view = memoryview(data.bytes() if isinstance(data, UntypedStorage) else data).cast("B")[:size]
        self._open(name, size)
        crc = zlib.crc32(view) if self._computes_crc32 else 0
        self._write(view)
        self._close(name, crc, size)

    def write_text(self, name: str, text: str) -> None:
        """One entry of a few letters."""
        self.write_record(name, text, len(text))

    def set_min_version(self, version: int) -> None:
        """Say in the archive that readers need at least this version of the format."""
        self._version = max(self._version, version)

    def write_record_metadata(self, name: str, size: int) -> None:
        """An entry without contents: zeros in their place."""
        self._open(name, size)
        for start in range(0, size, CHUNK):
            self._write(bytes(min(CHUNK, size - start)))
        self._close(name, 0, size)

    def write_end_of_file(self) -> None:
        """The format's version, the id, and the directory of all entries."""
        self.write_text("version", f"{self._version}\n")
        if "byteorder" not in self._written:
            self.write_text("byteorder", sys.byteorder)
        self.write_text(".data/serialization_id", self.serialization_id())
        start = self._position
        for entry in self._entries:
            self._write(_central_header(*entry))
        count, size, end = len(self._entries), self._position - start, self._position
        self._write(ZIP64_END.pack(b"PK\6\6", ZIP64_END.size - 12, MADE_BY, ZIP64_NEEDED, 0, 0, count, count, size,
                                   start))
        self._write(ZIP64_LOCATOR.pack(b"PK\6\7", 0, end, 1))
        count = min(count, 0xFFFF)
        self._write(END.pack(b"PK\5\6", 0, 0, count, count, min(size, LARGEST_32_BIT), min(start, LARGEST_32_BIT), 0))
        self.close()

    def close(self) -> None:
        """Let the file go; one that was opened here is closed."""
        if self._owns_file:
            self._file.close()

    def _write(self, content) -> None:
        self._file.write(content)
        self._position += len(content)

    def _open(self, name: str, size: int) -> None:
        if name in self._written:
            raise RuntimeError(f"Tried to serialize file twice: {name}")
        path = f"{self._name}/{name}".encode()
        extra = padded_extra(self._position, len(path), size, self._alignment)
        self._entries.append((path, 0, size, self._position))
        header = LOCAL_HEADER.pack(b"PK\3\4", 0, _flags(size), 0, 0, 0, 0, 0, 0, len(path), len(extra))
        self._write(header + path + extra)

    def _close(self, name: str, crc: int, size: int) -> None:
        path, _, _, position = self._entries[-1]
        self._entries[-1] = (path, crc, size, position)
        self._written.append(name)
        if size:
            self._crc_of_all = mixed(self._crc_of_all, crc)
            form = "<4sI2Q" if max(size, position) >= LARGEST_32_BIT else "<4s3I"
            self._write(struct.pack(form, b"PK\7\10", crc, size, size))


def _flags(size: int) -> int:
    return NAMES_ARE_UTF8 | (SIZES_FOLLOW if size else 0)


def _large_fields(size: int, position: int) -> bytes:
    """The field of a header for sizes and a position that 32 bits do not hold."""
    numbers = [size] * 2 * (size >= LARGEST_32_BIT) + [position] * (position >= LARGEST_32_BIT)
    return struct.pack(f"<2H{len(numbers)}Q", 1, 8 * len(numbers), *numbers) if numbers else b""


def padded_extra(position: int, path_length: int, size: int, alignment: int) -> bytes:
    """Fields of a header at a position so long that the contents begin at a multiple of the alignment."""
    large = _large_fields(size, position)
    start = position + LOCAL_HEADER.size + path_length + len(large) + 4
    padding = -start % alignment
    return large + PADDING_TAG + struct.pack("<H", padding) + b"Z" * padding


def _central_header(path: bytes, crc: int, size: int, position: int) -> bytes:
    extra = _large_fields(size, position)
    shown_size, shown_position = min(size, LARGEST_32_BIT), min(position, LARGEST_32_BIT)
    return CENTRAL_HEADER.pack(b"PK\1\2", 0, 0, _flags(size), 0, 0, 0, crc, shown_size, shown_size, len(path),
                               len(extra), 0, 0, 0, 0, shown_position) + path + extra
