# cython: annotation_typing=False
"""NumPy without its floating-point warnings for a moment: torch gives inf and nan in silence."""

from __future__ import annotations

from functools import partial, wraps

import numpy as np

try:
    # What np.errstate sets, without the object around it: a tenth of a microsecond instead of a whole one.
    from numpy._core._ufunc_config import _extobj_contextvar, _make_extobj

    hush = partial(_extobj_contextvar.set, _make_extobj(all="ignore"))
    speak = _extobj_contextvar.reset
except ImportError:
    def hush():
        """Turn warnings off; what it returns is given to ``speak``."""
        state = np.errstate(all="ignore")
        state.__enter__()
        return state

    def speak(state) -> None:
        """Let warnings be as they were."""
        state.__exit__(None, None, None)


def silent(function):
    """A function that computes with NumPy and never warns."""
    @wraps(function)
    def quiet(*args, **kwargs):
        before = hush()
        try:
            return function(*args, **kwargs)
        finally:
            speak(before)
    return quiet
