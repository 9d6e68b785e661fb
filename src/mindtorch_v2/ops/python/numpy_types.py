"""NumPy's numbers and arrays, which may stand in keys and beside tensors wherever Python's own may."""

from __future__ import annotations

import numpy as np

ARRAY = np.ndarray
BOOLS = (bool, np.bool_)
INTEGER = np.integer
NUMBERS = (int, float, complex, np.integer)  # that can be assigned
ANY_NUMBER = (*NUMBERS, np.number, np.bool_)
SINGLE = np.generic  # any element of an array
_MASKS = (np.bool_, np.uint8)


def is_mask(array: np.ndarray) -> bool:
    """Whether an array says of every position if it is taken."""
    return array.dtype in _MASKS


def is_bool(array: np.ndarray) -> bool:
    """Whether an array holds truth values."""
    return array.dtype == np.bool_
