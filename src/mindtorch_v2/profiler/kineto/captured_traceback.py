"""Where Python is right now, kept without its frames: torch._C._profiler's tracebacks."""

from __future__ import annotations

import sys


class CapturedTraceback:
    """The functions that were running, innermost first; ``symbolize_tracebacks`` puts them in words."""

    __slots__ = ("__weakref__", "_calls")

    def __new__(cls):
        raise TypeError("cannot create 'CapturedTraceback' instances; gather_traceback() makes them")


def gather_traceback(python: bool = True, script: bool = True, cpp: bool = True) -> CapturedTraceback:
    """The Python functions that are running; of TorchScript and C++ there is nothing to gather here."""
    traceback = object.__new__(CapturedTraceback)
    frame = sys._getframe(1) if python else None
    traceback._calls = []
    while frame is not None:
        traceback._calls.append((frame.f_code, frame.f_lineno))
        frame = frame.f_back
    return traceback


def symbolize_tracebacks(tracebacks: list[CapturedTraceback]) -> list[list[dict]]:
    """Each traceback as a list of functions with file and line."""
    for given in tracebacks:
        if not isinstance(given, CapturedTraceback):
            raise TypeError("symbolize_tracebacks() wants a list of what gather_traceback() returned, but it holds "
                            f"{given!r}")
    return [[{"name": code.co_name, "filename": code.co_filename, "line": line} for code, line in given._calls]
            for given in tracebacks]
