"""Writing a file whole or not at all, to a path, a Path, or an open file; ``.gz`` compresses."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager

LEVEL = 3  # traces shrink to a 22nd; the highest level makes it a 29th and takes fifteen times as long


@contextmanager
def writing(target, compressed: bool | None = None) -> Iterator[io.BufferedIOBase]:
    """A binary stream; a file takes its name only when all is written, and leaves nothing behind on failure.

    It is compressed if that is said or, where nothing is said, if its name ends in ``.gz``.
    """
    if hasattr(target, "write"):
        held = io.BytesIO()
        yield held
        _hand_over(held.getvalue(), target)
        return
    given = os.fsdecode(target)
    path, compressed = os.path.realpath(given), given.endswith(".gz") if compressed is None else compressed
    if os.path.exists(path) and not os.path.isfile(path):
        # A device or a pipe is written to, never replaced.
        with open(path, "wb") as file, _stream(file, path, compressed) as out:
            yield out
        return
    unfinished = os.path.join(os.path.dirname(path), f".{os.urandom(16).hex()}.part")
    try:
        file = open(unfinished, "xb")
    except OSError as error:
        error.filename = given  # the name the caller knows
        raise
    try:
        with file, _stream(file, path, compressed) as out:
            yield out
        os.replace(unfinished, path)
    except BaseException:
        os.unlink(unfinished)
        raise


@contextmanager
def _stream(file, path: str, compressed: bool):
    if not compressed:
        yield file
        return
    with gzip.GzipFile(os.path.basename(path), "wb", LEVEL, fileobj=file, mtime=0) as packed:
        yield packed


def _hand_over(data: bytes, target) -> None:
    """Give the bytes to an open file, as text where it takes only text, and see that they arrive."""
    try:
        taken = target.write(data)
        while isinstance(target, io.RawIOBase) and taken and taken < len(data):
            data = data[taken:]
            taken = target.write(data)
    except TypeError:
        target.write(data.decode())
    if hasattr(target, "flush"):
        target.flush()
