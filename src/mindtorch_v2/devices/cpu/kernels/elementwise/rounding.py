"""To whole numbers, and to numbers of some digits."""

from __future__ import annotations

import numpy as np

from ... import unary
from ...array_facts import is_half
from ...layout import stored

MOST_DIGITS = 308  # of a power of ten in a double


def _round_decimals(x: np.ndarray, decimals: int, out: np.ndarray | None = None) -> np.ndarray:
    wide = x.astype(np.float32) if is_half(x) else x  # halves are rounded once, at the end
    scale = wide.dtype.type(10.0 ** abs(decimals) if abs(decimals) <= MOST_DIGITS else np.inf)
    rounded = np.rint(wide / scale) * scale if decimals < 0 else np.rint(wide * scale) / scale
    return stored(np.asarray(rounded).astype(x.dtype, copy=False), out)


def _frac(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return np.subtract(x, np.trunc(x), out=out)


ELEMENTWISE = {
    "floor": (np.floor, None),
    "ceil": (np.ceil, None),
    "round": (np.rint, None),  # to even, as torch rounds
    "trunc": (np.trunc, None),
    "round_decimals": (_round_decimals, None),
    "frac": (_frac, unary.frac),
}
