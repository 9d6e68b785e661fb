# cython: annotation_typing=False
"""Values copied, cast on the way, or set to one number."""

from __future__ import annotations

import numpy as np

from ... import casting, copying, pointwise, rounding
from ...array_facts import is_half
from ...errstate import silent

LONG = 32_768  # elements from which filling is shared out among threads


def fill(out: np.ndarray, value) -> None:
    """Every element becomes a number."""
    if copying.fill_plain(out, value):
        return
    if out.dtype.type is np.void:
        out.fill(bytes(out.dtype.itemsize))  # zero_() alone is for bytes that mean nothing
    elif out.dtype.type in rounding.ROUNDED:
        _cast(out, np.asarray(value))
    elif out.size > LONG and out.dtype.kind in "biufc" or is_half(out):
        number = np.empty((), out.dtype)
        number.fill(value)
        pointwise.copy(out, number)
    else:
        out.fill(value)


def copy(into: np.ndarray, source: np.ndarray) -> None:
    """The values of another array, cast and broadcast; torch casts in silence what does not fit."""
    if not copying.copy_plain(into, source):
        if into.dtype == source.dtype:
            pointwise.copy(into, source)
        elif not casting.cast(into, source):
            _cast(into, source)


@silent
def _cast(into: np.ndarray, source: np.ndarray) -> None:
    if into.dtype.type in rounding.ROUNDED or source.dtype.type in rounding.ROUNDED:
        rounding.cast(into, source)
        return
    takes_real_part = source.dtype.kind == "c" and into.dtype.kind not in "cb"  # of a truth value, both parts count
    np.copyto(into, source.real if takes_real_part else source, casting="unsafe")
