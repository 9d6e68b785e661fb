"""torch.utils._traceback: where the program is, noted without keeping its frames, and frames in few words."""

from __future__ import annotations

import os
import sys
import traceback
from types import TracebackType

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class CapturedTraceback:
    """The functions that were running when it was made; lines are looked up when somebody reads it."""

    __slots__ = ["skip", "tb"]

    def __init__(self, tb: list | None, skip: int = 0):
        self.tb = tb
        self.skip = skip

    @staticmethod
    def extract(*, script: bool = False, cpp: bool = False, skip: int = 0) -> CapturedTraceback:
        """Here and now, without the ``skip`` innermost calls; of TorchScript and C++ there is nothing."""
        calls, frame = [], sys._getframe(1)
        while frame is not None:
            calls.append((frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))
            frame = frame.f_back
        return CapturedTraceback(calls, skip)

    def cleanup(self) -> None:
        """Forget everything."""
        self.tb = None

    def summary(self) -> traceback.StackSummary:
        """The calls as Python's traceback module shows them, the innermost last."""
        calls = (self.tb or [])[self.skip:]
        return traceback.StackSummary.from_list([(file, line, name, None) for file, line, name in reversed(calls)])

    def format(self) -> list[str]:
        return traceback.format_list(self.summary())

    @staticmethod
    def format_all(tbs: list[CapturedTraceback]) -> list[list[str]]:
        return [tb.format() for tb in tbs]

    def __getstate__(self):
        return None, {"tb": None, "skip": self.skip}  # as torch's: calls of another process mean nothing


def shorten_filename(fn: str, *, base: str | None = None) -> str:
    """A file's name without what it has in common with a folder, the package's own unless another is given."""
    try:
        common = os.path.commonpath([fn, base or _PACKAGE])
    except ValueError:
        return fn
    return fn[len(common) + 1:]


def format_frame(frame: traceback.FrameSummary, *, base: str | None = None, line: bool = False) -> str:
    """``file:line in function``, behind the line itself where that is wanted."""
    code = f"{frame.line}  # " if line else ""
    return f"{code}{shorten_filename(frame.filename, base=base)}:{frame.lineno} in {frame.name}"


def format_traceback_short(tb: TracebackType) -> str:
    """The innermost frame of an exception's traceback."""
    return format_frame(traceback.extract_tb(tb)[-1])
