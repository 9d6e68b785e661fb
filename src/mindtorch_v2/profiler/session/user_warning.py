"""Warnings that point at the user's line, however deep in this package they arise."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
_NOT_THE_USER_S = (_PACKAGE, contextlib.__file__)  # an ExitStack leaves a profile for its user


def warn_user(message: str, category: type[Warning] = UserWarning, each_time: bool = False) -> None:
    """Warn at the nearest line outside this package; ``each_time`` even where Python would say the same only once."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_NOT_THE_USER_S):
        frame = frame.f_back
    if frame is None:  # Python itself called: at exit, in a garbage collection
        warnings.warn_explicit(message, category, "sys", 1)
        return
    said = None if each_time else frame.f_globals.setdefault("__warningregistry__", {})
    warnings.warn_explicit(message, category, frame.f_code.co_filename, frame.f_lineno,
                           frame.f_globals.get("__name__"), said)
