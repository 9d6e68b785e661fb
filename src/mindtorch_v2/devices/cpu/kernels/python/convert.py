"""Values as Python's numbers."""

from __future__ import annotations

import numpy as np

PLAIN_KINDS = "biufc"  # NumPy's own kinds of numbers; the others, bfloat16 among them, come as objects of their own


def item(array: np.ndarray) -> complex:
    """The only element of an array."""
    value = array.item()
    return value if array.dtype.kind in PLAIN_KINDS else float(value)


def tolist(array: np.ndarray) -> list:
    """Nested lists of all elements."""
    return array.tolist() if array.dtype.kind in PLAIN_KINDS else array.astype(np.float32).tolist()


def last(array: np.ndarray) -> complex:
    """The last element of a row."""
    return array[-1].item()
