"""Names of what the tracer sees: Python functions, builtins, modules; each is named once and then known by number."""

from __future__ import annotations

import os
import re
import sys
import weakref
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .names import names
from .plain_text import exact_text, name_of_type


class Frame(NamedTuple):
    """Where a Python call stands in the source."""

    file: str
    line: int
    function: str


# Files of this package whose calls are the engine's own business: what they do shows as ops.
HIDDEN = ("record", "core", "opdef", "dispatch", "devices", "ops", "api", "profiler", "autograd/engine",
          "autograd/node", "autograd/op_node", "autograd/hooks", "autograd/graph", "autograd/profiler",
          "nn/modules/facts", "optim/facts", "cli")
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_HIDDEN_PATHS = tuple(_PACKAGE + path.replace("/", os.sep) for path in HIDDEN)
_hidden_codes: dict = {}  # by address: a code's own hash would ask its constants for theirs
# What the engine itself calls (generated code, the standard library, NumPy) is not shown where a hidden function calls
# it. A bit beside the name's number.
QUIET = 1 << 30
_LIBRARY, _NUMPY = (os.path.dirname(module.__file__) + os.sep for module in (os, np))
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def hide(function) -> None:
    """Leave a function's own calls out: it opens a row that says more."""
    _hidden_codes[id(function.__code__)] = function.__code__


def hide_files(*beginnings: str) -> None:
    """Leave out the functions in files whose paths begin like this: what runs a program and is no part of it."""
    global _HIDDEN_PATHS
    _HIDDEN_PATHS = tuple(dict.fromkeys((*_HIDDEN_PATHS, *beginnings)))


def code_name(code, line: int | None = None) -> int:
    """The number of a Python function's name, by the line it begins at unless another is given; -1 if it is hidden.

    With the bit QUIET if it is to be hidden where a hidden function calls it.
    """
    path = exact_text(code.co_filename)
    if id(code) in _hidden_codes or path.startswith(_HIDDEN_PATHS):
        return -1
    frame = frame_of(code, line)
    number = names.number(f"{frame.file}({frame.line}): {frame.function}")
    return number | (QUIET if _is_quiet(path) else 0)


def frame_of(code, line: int | None = None) -> Frame:
    """Where a function stands: the line it begins at, unless another is given."""
    return Frame(_short(exact_text(code.co_filename)), code.co_firstlineno if line is None else line,
                 exact_text(code.co_name))


def _is_quiet(path: str) -> bool:
    in_library = path.startswith(_LIBRARY) and "-packages" not in path
    return in_library or path.startswith("<") or path.startswith(_NUMPY)


def _short(path: str) -> str:
    """A path as the import system knows it: without the longest entry of sys.path that leads to it."""
    leading = max((len(folder) for folder in _search_folders() if path.startswith(folder)), default=0)
    return path[leading:].lstrip(os.sep) if leading else path


def _search_folders() -> list[str]:
    """The entries of sys.path that the import system looks at: texts. Programs put other things there too."""
    search_path = getattr(sys, "path", None)
    entries = list.copy(search_path) if issubclass(type(search_path), list) else []
    texts = [exact_text(entry) for entry in entries if issubclass(type(entry), str)]
    return [text.rstrip(os.sep) + os.sep for text in texts if text]


def builtin_name(function) -> int:
    """The number of a builtin's name, without the address that would make every object's method another function."""
    return names.number(_ADDRESS.sub("", exact_text(repr(function))))


class Modules:
    """``nn.Module: Linear_0``: modules numbered per class in the order of their first calls."""

    def __init__(self):
        self._named: dict[int, tuple[weakref.ref, str]] = {}
        self._counts: dict[str, int] = {}

    def name(self, module) -> int:
        """The number of a module's name; a dead module's name is never given to another."""
        known = self._named.get(id(module))
        if known is not None and known[0]() is module:
            return names.number(known[1])
        kind = name_of_type(type(module))
        count = self._counts.get(kind, 0)
        self._counts[kind] = count + 1
        name = f"nn.Module: {kind}_{count}"
        self._named[id(module)] = (weakref.ref(module, self._forget(id(module))), name)
        return names.number(name)

    def _forget(self, address: int) -> Callable[[weakref.ref], None]:
        """Forget a module that dies, unless another stands in its place already."""
        named = self._named

        def forget(dead: weakref.ref) -> None:
            if address in named and named[address][0] is dead:
                del named[address]

        return forget
