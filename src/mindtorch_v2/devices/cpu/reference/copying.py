"""Copies that need no cast by NumPy, in plain Python."""

from __future__ import annotations

import numpy as np


def copy_plain(into: np.ndarray, source: np.ndarray) -> bool:
    """Copy what is of one type. False where NumPy's cast has to do it."""
    if into.dtype != source.dtype or not source.dtype.isnative:
        return False
    np.copyto(into, source)
    return True


def store_plain(into: np.ndarray, row: list) -> bool:
    """Write a list of Python's own floats into floats, or of its ints within 64 bits into int64. False for others."""
    wanted = {"f": float, "d": float, "l": int, "q": int}.get(into.dtype.char)
    if into.size != len(row) or any(type(value) is not wanted for value in row):
        return False
    if not (into.flags.carray and into.dtype.isnative) or wanted is int and any(not -2**63 <= n < 2**63 for n in row):
        return False
    into[...] = np.array(row, np.float64 if wanted is float else np.int64).reshape(into.shape)
    return True


def fill_plain(into: np.ndarray, value) -> bool:
    """Write one number everywhere, without gaps: zero into any type, others into floats. False where NumPy has to."""
    takes_value = (type(value) is int and value == 0) or (type(value) in (int, float) and into.dtype.char in "fd")
    if not (takes_value and into.flags.carray and into.dtype.isnative):
        return False
    into.fill(np.zeros((), into.dtype) if type(value) is int and value == 0 else value)
    return True
