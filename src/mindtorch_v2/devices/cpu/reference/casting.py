"""Numbers of one type as another, by NumPy's casts."""

from __future__ import annotations

import numpy as np

from ..array_facts import is_half

Array = np.ndarray

TYPES = "?BbhilqfdFD"  # and half precision


def cast(out: Array, a: Array) -> bool:
    """The values of an array in the type of another, broadcast; False where there is no loop for the two types."""
    if not all(array.dtype.char in TYPES or is_half(array) for array in (out, a)):
        return False
    with np.errstate(all="ignore"):
        if a.dtype.kind == "c" and out.dtype.kind not in "cb":
            a = a.real
        if is_half(out):  # rounded twice, as in torch
            a = a.astype(np.float32)
        elif out.dtype == np.uint8 and a.dtype.kind == "f":
            a = a.astype(np.int64)
        np.copyto(out, a.copy() if np.may_share_memory(out, a) else a, casting="unsafe")
    return True
