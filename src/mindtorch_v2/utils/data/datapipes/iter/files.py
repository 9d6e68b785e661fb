"""Pipes over files: their names, the files themselves, and what is in them."""

from __future__ import annotations

import fnmatch
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import IO

from ..datapipe import IterDataPipe, functional_datapipe
from .utils import IterableWrapperIterDataPipe

MODES = {"b": "rb", "t": "rt", "rb": "rb", "rt": "rt", "r": "r"}


def _told_length(pipe) -> int:
    if pipe.length == -1:
        raise TypeError(f"{type(pipe).__name__} instance doesn't have valid length")
    return pipe.length


def _refuse(error: OSError) -> None:
    warnings.warn(f"{error.filename} : {error.strerror}", stacklevel=2)
    raise error


@functional_datapipe("list_files")
class FileListerIterDataPipe(IterDataPipe[str]):
    """Paths of the files in folders, sorted, as far as their names fit a mask."""

    def __init__(self, root: str | Sequence[str] | IterDataPipe = ".", masks: str | list[str] = "", *,
                 recursive: bool = False, abspath: bool = False, non_deterministic: bool = False, length: int = -1):
        super().__init__()
        if isinstance(root, str):
            root = [root]
        self.datapipe = root if isinstance(root, IterDataPipe) else IterableWrapperIterDataPipe(root)
        self.masks = masks
        self.recursive, self.abspath, self.non_deterministic = recursive, abspath, non_deterministic
        self.length = length

    def _fits(self, name: str) -> bool:
        masks = [self.masks] if isinstance(self.masks, str) and self.masks else self.masks
        return not masks or any(fnmatch.fnmatch(name, mask) for mask in masks)

    def _below(self, root: str) -> Iterator[str]:
        if os.path.isfile(root):
            yield os.path.abspath(root) if self.abspath else root
            return
        for folder, folders, files in os.walk(root, onerror=_refuse):
            if not self.non_deterministic:
                files.sort()
                folders.sort()  # in which order os.walk goes on
            shown = os.path.abspath(folder) if self.abspath else folder
            yield from (os.path.join(shown, name) for name in files)
            if not self.recursive:
                return

    def __iter__(self) -> Iterator[str]:
        for root in self.datapipe:
            yield from (path for path in self._below(root) if self._fits(os.path.basename(path)))

    __len__ = _told_length


@functional_datapipe("open_files")
class FileOpenerIterDataPipe(IterDataPipe[tuple[str, IO]]):
    """Each path with its file, open for reading."""

    def __init__(self, datapipe: Iterable[str], mode: str = "r", encoding: str | None = None, length: int = -1):
        super().__init__()
        if mode not in MODES:
            raise ValueError(f"Invalid mode {mode}")
        if "b" in mode and encoding is not None:
            raise ValueError("binary mode doesn't take an encoding argument")
        self.datapipe, self.mode, self.encoding, self.length = datapipe, mode, encoding, length

    def __iter__(self) -> Iterator[tuple[str, IO]]:
        for path in self.datapipe:
            if not isinstance(path, str):
                raise TypeError(f"Expected string type for pathname, but got {type(path)}")
            yield path, open(path, MODES[self.mode], encoding=self.encoding)  # noqa: SIM115  closed by who reads it

    __len__ = _told_length


@functional_datapipe("read_from_stream")
class StreamReaderIterDataPipe(IterDataPipe[tuple[str, bytes]]):
    """What is in open files, each piece with the name of its file."""

    def __init__(self, datapipe: IterDataPipe[tuple[str, IO]], chunk: int | None = None):
        self.datapipe = datapipe
        self.chunk = chunk

    def __iter__(self) -> Iterator[tuple[str, bytes]]:
        for name, stream in self.datapipe:
            with stream:
                while piece := stream.read(self.chunk):
                    yield name, piece
