"""The file that a recording is written to while it goes on: blocks, one behind the other, each whole or not there.

A block is a header and its data: rows, memory changes or tensors as layout.py describes them, facts as JSON, or what
devices did (device_journal.py). Nothing in it is run when it is read. What a dying process leaves behind its last whole
block is not looked at.
"""

from __future__ import annotations

import errno
import json
import os
import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

MAGIC = b"mtj1"
# MAGIC, kind, thread, its life, number of the first item (of what is never changed, facts and devices: a checksum),
# bytes of data
HEADER = struct.Struct("<4siiiqq")
ABOUT, THREAD, WORDS, ROWS, MEMORY_ROWS, TENSORS, DEVICES = range(1, 8)
END_NS = struct.Struct("<q")
FLAGS = os.O_RDWR | getattr(os, "O_CLOEXEC", 0)


def as_json(facts: object) -> bytes:
    return json.dumps(facts, separators=(",", ":")).encode()


class Block(NamedTuple):
    """Where a block's data lies, and what it is."""

    kind: int
    thread: int
    life: int
    first: int
    offset: int
    size: int


class JournalFile:
    """A journal that is being written. A write that fails leaves what was written before as it is."""

    def __init__(self, path: str):
        self.path = path
        self.size = 0
        self._fd = os.open(path, FLAGS | os.O_CREAT | os.O_EXCL, 0o600)
        self._identity = _identity(self._fd)

    def append(self, kind: int, data: bytes, thread: int = 0, life: int = 0, first: int = 0) -> int:
        """Write a block behind the others; where its data begins."""
        parts, at = [HEADER.pack(MAGIC, kind, thread, life, first, len(data)), data], self.size
        for part in parts:
            view = memoryview(part)
            while view:
                n = os.pwrite(self._own_fd(), view, at)
                view, at = view[n:], at + n
        self.size = at
        return at - len(data)

    def append_json(self, kind: int, facts: object, thread: int = 0, life: int = 0) -> None:
        self.append_checked(kind, as_json(facts), thread, life)

    def append_checked(self, kind: int, data: bytes, thread: int = 0, life: int = 0) -> None:
        """Write what is never changed, with a checksum."""
        self.append(kind, data, thread, life, zlib.crc32(data))

    def patch(self, offset: int, data: bytes) -> None:
        """Write over a few bytes of a block."""
        os.pwrite(self._own_fd(), data, offset)

    def read(self, offset: int, size: int) -> bytes:
        return os.pread(self._own_fd(), size, offset)

    def close(self) -> None:
        """A file that is closed is read no more."""
        if _identity(self._fd) == self._identity:
            os.close(self._fd)
        self._fd = -1

    def _own_fd(self) -> int:
        """The descriptor. A program that becomes a daemon closes all there are, and its next file gets the number: what
        is not this file is never touched, and this one is opened again by its name."""
        if _identity(self._fd) != self._identity:
            fd = os.open(self.path, FLAGS)
            if _identity(fd) != self._identity:
                os.close(fd)
                raise OSError(errno.ESTALE, "the file was replaced by another", self.path)
            self._fd = fd
        return self._fd


def _identity(fd: int) -> tuple[int, int] | None:
    """Which file a descriptor is of; None if it is closed."""
    try:
        status = os.fstat(fd)
    except OSError:
        return None
    return status.st_dev, status.st_ino


class FinishedFile:
    """A journal that somebody left behind."""

    def __init__(self, path: str):
        self.path, self.size = path, os.path.getsize(path)

    def read(self, offset: int, size: int) -> bytes:
        with open(self.path, "rb") as file:
            file.seek(offset)
            return file.read(size)


def blocks(file: JournalFile | FinishedFile) -> Iterator[Block]:
    """The whole blocks of a journal, in the order in which they were written."""
    at, end = 0, file.size
    while at + HEADER.size <= end:
        magic, kind, thread, life, first, size = HEADER.unpack(file.read(at, HEADER.size))
        at += HEADER.size
        if magic != MAGIC or not ABOUT <= kind <= DEVICES or size < 0 or at + size > end:
            return
        yield Block(kind, thread, life, first, at, size)
        at += size


def is_whole(file: JournalFile | FinishedFile, block: Block) -> bool:
    """Whether a block with a checksum is as it was written."""
    return zlib.crc32(file.read(block.offset, block.size)) == block.first


def facts_of(file: JournalFile | FinishedFile, block: Block) -> dict:
    """What a block of JSON says; nothing if it says nothing."""
    try:
        facts = json.loads(file.read(block.offset, block.size))
    except (ValueError, RecursionError):
        return {}
    return facts if isinstance(facts, dict) else {}
