"""Copies that need no cast by NumPy, in plain Python."""

from __future__ import annotations

import numpy as np


def copy_plain(into: np.ndarray, source: np.ndarray) -> bool:
    """Copy what is of one type. False where NumPy's cast has to do it."""
    if into.dtype != source.dtype or not source.dtype.isnative:
        return False
    np.copyto(into, source)
    return True
