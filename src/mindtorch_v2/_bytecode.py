"""The package's bytecode in one file, instead of a file and a search for each of a thousand modules.

It stands beside the bytecode files that Python keeps (``__pycache__``) and is treated like one: a process that had to
do without writes it when it ends, of Python's own files. An entry counts while its source, and the folder that the
source is in, are as they were; everything else is imported as always.
"""

from __future__ import annotations

import atexit
import marshal
import os
import struct
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ExtensionFileLoader, ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source, spec_from_file_location
from mmap import ACCESS_READ, mmap
from os.path import dirname
from types import CodeType, ModuleType

LENGTH = struct.Struct("<Q")  # of the contents, which stand before the code
LOADERS = (SourceFileLoader, ExtensionFileLoader)
UNREADABLE = (OSError, ValueError, TypeError, EOFError, struct.error)


class BytecodeLoader(SourceFileLoader):
    """Python's own loader, given the code."""

    def __init__(self, name: str, path: str, code: memoryview):
        super().__init__(name, path)
        self.code = code

    def get_code(self, fullname: str) -> CodeType:
        return marshal.loads(self.code)


class BytecodeFinder:
    """Finds the modules of a package that are in its file, before Python looks into folders."""

    def __init__(self, package: str, root: str):
        self.prefix, self.root = package + ".", root
        self.path = cache_from_source(os.path.join(root, "package.py"))[:-1] + "s"
        self.folders, self.modules, self.codes = self._read()
        self.unchanged: dict[str, bool] = {}  # by folder

    def _read(self) -> tuple[dict[str, int], dict[str, tuple], memoryview]:
        """When folders changed, the files of modules, and their code."""
        try:
            with open(self.path, "rb") as file:
                data = memoryview(mmap(file.fileno(), 0, access=ACCESS_READ))
            start = LENGTH.size + LENGTH.unpack_from(data)[0]
            about, folders, modules = marshal.loads(data[LENGTH.size:start])
            if about == (MAGIC_NUMBER, self.root):
                return folders, modules, data[start:]
        except UNREADABLE:
            pass
        return {}, {}, memoryview(b"")

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None):
        """A module's spec as Python would find it, or None where it has to look itself."""
        entry = self.modules.get(name)
        if entry is None or not self._is_current(entry):
            return None
        file, cached, _, start, end = entry
        if cached is None:
            return spec_from_file_location(name, file, loader=ExtensionFileLoader(name, file))
        folder, base = os.path.split(file)
        spec = spec_from_file_location(name, file, loader=BytecodeLoader(name, file, self.codes[start:end]),
                                       submodule_search_locations=[folder] if base == "__init__.py" else None)
        spec.cached = cached
        return spec

    def _is_current(self, entry: tuple) -> bool:
        file, cached, state = entry[:3]
        folder = dirname(file)
        if folder not in self.unchanged:
            self.unchanged[folder] = _changed_ns(folder) == self.folders.get(folder)
        return self.unchanged[folder] and (cached is None or _state(file) == state)

    def write_if_incomplete(self) -> None:
        """Write the file anew if modules were loaded that were not taken from it."""
        loaded = [spec for spec in self._loaded() if not self._holds(spec)]
        if loaded and not sys.dont_write_bytecode:
            try:
                self._write(loaded)
            except OSError:  # a folder of somebody else's: without the file, then
                pass

    def _holds(self, spec: ModuleSpec) -> bool:
        entry = self.modules.get(spec.name)
        return isinstance(spec.loader, BytecodeLoader) or (entry is not None and self._is_current(entry))

    def _loaded(self) -> Iterator[ModuleSpec]:
        for name, module in list(sys.modules.items()):
            spec = getattr(module, "__spec__", None) if name.startswith(self.prefix) else None
            if spec is not None and spec.name == name and isinstance(spec.loader, LOADERS):
                yield spec

    def _write(self, loaded: list[ModuleSpec]) -> None:
        folders = {*self.folders, *(dirname(spec.origin) for spec in loaded)}
        folders = {folder: _changed_ns(folder) for folder in folders}
        unchanged = {folder for folder in self.folders if folders[folder] == self.folders[folder]}
        kept = [(name, entry, self.codes[entry[3]:entry[4]]) for name, entry in self.modules.items()
                if dirname(entry[0]) in unchanged and self._is_current(entry)]
        modules, codes, end = {}, [], 0
        for name, entry, code in [*kept, *_entries(loaded)]:
            start, end = end, end + len(code)
            modules[name] = (*entry[:3], start, end)
            codes.append(code)
        contents = marshal.dumps(((MAGIC_NUMBER, self.root), folders, modules))
        beside = f"{self.path}.{os.getpid()}"
        try:
            with open(beside, "xb") as file:
                file.writelines([LENGTH.pack(len(contents)), contents, *codes])
            os.replace(beside, self.path)
        finally:
            if os.path.exists(beside):
                os.unlink(beside)


def _entries(loaded: list[ModuleSpec]) -> Iterator[tuple[str, tuple, bytes]]:
    """Modules as the file describes them, and their code."""
    for spec in loaded:
        if not _is_found_there(spec):
            continue
        if isinstance(spec.loader, ExtensionFileLoader):
            yield spec.name, (spec.origin, None, None), b""
            continue
        state = _state(spec.origin)
        try:
            yield spec.name, (spec.origin, spec.cached, state), marshal.dumps(spec.loader.get_code(spec.name))
        except (OSError, SyntaxError):  # its source is gone, or being edited
            continue


def _is_found_there(spec: ModuleSpec) -> bool:
    """Whether Python would load a module from the same file now: another may have come since it was loaded."""
    parent = sys.modules[spec.name.rpartition(".")[0]]
    now = PathFinder.find_spec(spec.name, parent.__path__)
    return now is not None and now.origin == spec.origin


def _state(file: str) -> tuple[int, int] | None:
    """When a source was written, and its size."""
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _changed_ns(folder: str) -> int | None:
    """When a file was last added to a folder, or taken from it."""
    state = _state(folder)
    return state and state[0]


FINDER = BytecodeFinder(__package__, dirname(os.path.abspath(__file__)))
sys.meta_path.insert(0, FINDER)
atexit.register(FINDER.write_if_incomplete)
