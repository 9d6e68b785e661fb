"""Names of what the tracer sees: Python functions, builtins, modules; each is named once and then known by number."""

from __future__ import annotations

import os
import re
import sys
import weakref
from typing import NamedTuple

import numpy as np

from .names import names


class Frame(NamedTuple):
    """Where a Python call stands in the source."""

    file: str
    line: int
    function: str


# Files of this package whose calls are the engine's own business: what they do shows as ops.
HIDDEN = ("record", "core", "opdef", "dispatch", "kernels", "ops", "profiler", "autograd/engine", "autograd/node",
          "autograd/op_node", "autograd/hooks", "autograd/graph", "autograd/profiler", "nn/modules/facts",
          "optim/facts")
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_HIDDEN_PATHS = tuple(_PACKAGE + path.replace("/", os.sep) for path in HIDDEN)
_hidden_codes: set = set()
# What the engine itself calls (generated code, the standard library, NumPy) is not shown where a hidden function calls
# it. A bit beside the name's number.
QUIET = 1 << 30
_LIBRARY, _NUMPY = (os.path.dirname(module.__file__) + os.sep for module in (os, np))
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")

# Where a name stands for a Python call: number of the name -> Frame.
frames: dict[int, Frame] = {}


def hide(function) -> None:
    """Leave a function's own calls out: it opens a row that says more."""
    _hidden_codes.add(function.__code__)


def code_name(code, line: int | None = None) -> int:
    """The number of a Python function's name, by the line it begins at unless another is given; -1 if it is hidden.

    With the bit QUIET if it is to be hidden where a hidden function calls it.
    """
    if code in _hidden_codes or code.co_filename.startswith(_HIDDEN_PATHS):
        return -1
    frame = frame_of(code, line)
    number = names.number(f"{frame.file}({frame.line}): {frame.function}")
    frames[number] = frame
    return number | (QUIET if _is_quiet(code.co_filename) else 0)


def frame_of(code, line: int | None = None) -> Frame:
    """Where a function stands: the line it begins at, unless another is given."""
    return Frame(_short(code.co_filename), code.co_firstlineno if line is None else line, code.co_name)


def _is_quiet(path: str) -> bool:
    in_library = path.startswith(_LIBRARY) and "-packages" not in path
    return in_library or path.startswith("<") or path.startswith(_NUMPY)


def _short(path: str) -> str:
    """A path as the import system knows it: without the longest entry of sys.path that leads to it."""
    found = max((entry for entry in sys.path if entry and path.startswith(entry.rstrip(os.sep) + os.sep)),
                key=len, default="")
    return path[len(found):].lstrip(os.sep) if found else path


def builtin_name(function) -> int:
    """The number of a builtin's name, without the address that would make every object's method another function."""
    return names.number(_ADDRESS.sub("", repr(function)))


class Modules:
    """``nn.Module: Linear_0``: modules numbered per class in the order of their first calls."""

    def __init__(self):
        self._named: dict[int, tuple[weakref.ref, int]] = {}
        self._counts: dict[str, int] = {}

    def name(self, module) -> int:
        """The number of a module's name; a dead module's name is never given to another."""
        known = self._named.get(id(module))
        if known is not None and known[0]() is module:
            return known[1]
        kind = type(module).__name__
        count = self._counts.get(kind, 0)
        self._counts[kind] = count + 1
        number = names.number(f"nn.Module: {kind}_{count}")
        self._named[id(module)] = (weakref.ref(module), number)
        return number
