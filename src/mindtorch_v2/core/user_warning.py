"""Warnings that point at the user's line, however deep in this package they arise."""

from __future__ import annotations

import os
import sys
import warnings
from types import FrameType
from typing import NamedTuple

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_LIBRARY = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
_INSTALLED = ("site-packages", "dist-packages")  # others' packages, below the library's folder


class Line(NamedTuple):
    """A line of the user's program."""

    file: str
    number: int
    module: str


NOWHERE = Line("sys", 1, "sys")


def users_line() -> Line | None:
    """The nearest line outside this package and the standard library, which calls for somebody; None if Python itself
    called: at exit, in a thread that was given a method of a profile."""
    frame = _users_frame(sys._getframe(1))
    return frame and _line_of(frame)


def warn_user(message: str, category: type[Warning] = UserWarning, each_time: bool = False,
              otherwise: Line | None = None) -> None:
    """Warn at the user's line or, where there is none, at another; ``each_time`` even where Python would say the same
    only once."""
    frame = _users_frame(sys._getframe(1))
    line = _line_of(frame) if frame else otherwise or NOWHERE
    said = frame.f_globals.setdefault("__warningregistry__", {}) if frame and not each_time else None
    warnings.warn_explicit(message, category, *line, said)


def _line_of(frame: FrameType) -> Line:
    """Python swallows warnings of code without a module: what ``exec`` runs may have no name."""
    name = frame.f_globals.get("__name__")
    return Line(frame.f_code.co_filename, frame.f_lineno, name if isinstance(name, str) else "<unknown>")


def _users_frame(frame: FrameType | None) -> FrameType | None:
    while frame is not None and not _is_users(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def _is_users(file: str) -> bool:
    if file.startswith(_LIBRARY):
        return file[len(_LIBRARY):].startswith(_INSTALLED) and not file.startswith(_PACKAGE)
    return not file.startswith((_PACKAGE, "<frozen "))
