"""Copies that need no cast by NumPy, in plain Python."""

from __future__ import annotations

import numpy as np


def copy_plain(into: np.ndarray, source: np.ndarray) -> bool:
    """Copy what is of one type. False where NumPy's cast has to do it."""
    if into.dtype != source.dtype or not source.dtype.isnative:
        return False
    np.copyto(into, source)
    return True


def fill_plain(into: np.ndarray, value) -> bool:
    """Write one number everywhere, without gaps: zero into any type, others into floats. False where NumPy has to."""
    takes_value = (type(value) is int and value == 0) or (type(value) in (int, float) and into.dtype.char in "fd")
    if not (takes_value and into.flags.carray and into.dtype.isnative):
        return False
    into.fill(np.zeros((), into.dtype) if type(value) is int and value == 0 else value)
    return True
