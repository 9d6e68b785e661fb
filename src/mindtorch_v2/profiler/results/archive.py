"""A zip of plain members, written in one go and read with suspicion: sizes first, then bytes; nothing in it is run."""

from __future__ import annotations

import io
import json
import os
import zipfile

import numpy as np

from .packing import NARROW

FIRST_VERSION = (1, 0)  # of NumPy's format; for plain integers there is no need of another
HEADER_BYTES = 4096  # more than a header of plain integers has


class ArchiveError(Exception):
    """What is wrong with a file, as the end of a sentence that begins with its name."""


def write_json(archive: zipfile.ZipFile, name: str, value: object) -> None:
    archive.writestr(zipfile.ZipInfo(name), json.dumps(value, separators=(",", ":")))


def write_array(archive: zipfile.ZipFile, name: str, array: np.ndarray) -> None:
    """An array as a .npy member."""
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, np.lib.format.header_data_from_array_1_0(array))
    with archive.open(zipfile.ZipInfo(name), "w", force_zip64=True) as member:
        member.write(header.getvalue())
        member.write(memoryview(array).cast("B") if len(array) else b"")


class Archive:
    """A zip that may be anything."""

    def __init__(self, path: str):
        self._n_bytes = os.path.getsize(path)
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise ArchiveError("is cut off or damaged") from error

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *failure) -> None:
        self._zip.close()

    def has(self, name: str) -> bool:
        return name in self._zip.NameToInfo

    def read(self, name: str) -> bytes:
        """The bytes of a member, no more than the file itself can hold."""
        if not self.has(name):
            raise ArchiveError(f"has no member {name}")
        info = self._zip.getinfo(name)
        if info.compress_type != zipfile.ZIP_STORED or info.file_size != info.compress_size:
            raise ArchiveError(f"has a compressed member {name}, and saved profiles have none")
        if info.file_size > self._n_bytes:
            raise ArchiveError(f"has a member {name} that claims to be larger than the file")
        try:
            return self._zip.read(info)
        except (zipfile.BadZipFile, EOFError, OSError, RuntimeError, NotImplementedError, ValueError) as error:
            raise ArchiveError(f"is damaged in its member {name}") from error

    def json(self, name: str) -> object:
        """What a JSON member says."""
        try:
            return json.loads(self.read(name))
        except (ValueError, RecursionError) as error:
            raise ArchiveError(f"is damaged: its member {name} is no JSON") from error

    def array(self, name: str) -> np.ndarray:
        """A .npy member: a list of plain integers that fills it to the last byte."""
        data = self.read(name)
        stream = io.BytesIO(data)
        try:
            if np.lib.format.read_magic(stream) != FIRST_VERSION:
                raise ValueError("another version")
            shape, _, dtype = np.lib.format.read_array_header_1_0(stream, max_header_size=HEADER_BYTES)
        except Exception as error:  # NumPy evaluates the header's literals: whatever it says of them
            raise ArchiveError(f"is damaged: its member {name} is no .npy file") from error
        if dtype not in NARROW or len(shape) != 1:
            raise ArchiveError(f"is damaged: its member {name} holds no list of unsigned integers")
        if shape[0] * dtype.itemsize != len(data) - stream.tell():
            raise ArchiveError(f"is damaged: its member {name} has another length than it says")
        return np.load(io.BytesIO(data), allow_pickle=False)
