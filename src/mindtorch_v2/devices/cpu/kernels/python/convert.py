# cython: annotation_typing=False
"""Values as Python's numbers."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from ...array_facts import only_number

FIRST_FOREIGN = 256  # NumPy's number of the first type that another package has registered
PLAIN_KINDS = "biufc"  # NumPy's own kinds of numbers; the others, bfloat16 among them, come as objects of their own


def item(array: np.ndarray) -> complex:
    """The only element of an array."""
    number = only_number(array)
    return plain(array).item() if number is None else number


def tolist(array: np.ndarray) -> list:
    """Nested lists of all elements."""
    return plain(array).tolist()


def plain(array: np.ndarray) -> np.ndarray:
    """An array in one of NumPy's own types, whose elements Python knows."""
    if array.dtype.kind in PLAIN_KINDS and array.dtype.num < FIRST_FOREIGN:
        return array
    if array.dtype.type is np.void:
        raise RuntimeError("load_scalar: invalid type")
    return array.astype(np.complex64 if array.dtype.type is ml_dtypes.complex32 else np.float32)


def last(array: np.ndarray) -> complex:
    """The last element of a row."""
    return array[-1].item()
