"""NumPy without its floating-point warnings for a moment: torch gives inf and nan in silence."""

from __future__ import annotations

from functools import update_wrapper

import numpy as np


def hush():
    """Turn warnings off; what it returns is given to ``speak``."""
    state = np.errstate(all="ignore")
    state.__enter__()
    return state


def speak(before) -> None:
    """Let warnings be as they were."""
    before.__exit__(None, None, None)


class Silent:
    """A function that computes with NumPy and never warns."""

    def __init__(self, function):
        self.function = function
        update_wrapper(self, function)

    def __call__(self, *args, **kwargs):
        before = hush()
        try:
            return self.function(*args, **kwargs)
        finally:
            speak(before)


silent = Silent  # as a decorator
