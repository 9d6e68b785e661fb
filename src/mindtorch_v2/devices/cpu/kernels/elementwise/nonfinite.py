"""Numbers that are none: nan, the infinities, and what to put in their place."""

from __future__ import annotations

import numpy as np

from ... import unary
from ...array_facts import is_half

INF = float("inf")


def _isposinf(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return np.equal(x, INF, out=out)


def _isneginf(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return np.equal(x, -INF, out=out)


def _signbit(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return np.less(x, 0, out=out) if x.dtype.kind in "iu" else np.signbit(x, out=out)


ELEMENTWISE = {
    "isposinf": (_isposinf, None),
    "isneginf": (_isneginf, None),
    "signbit": (_signbit, None),
}


def nan_to_num(out: np.ndarray, array: np.ndarray, nan: float, posinf: float, neginf: float) -> None:
    """Numbers in the place of nan and the infinities, in both parts of complex numbers."""
    if array.dtype.kind == "c":
        nan_to_num(out.real, array.real, nan, posinf, neginf)
        nan_to_num(out.imag, array.imag, nan, posinf, neginf)
        return
    if array.dtype is out.dtype and (array.dtype.char in "fd" or is_half(array)):
        unary.finite(out, array, nan, posinf, neginf)
        return
    missing, above, below = np.isnan(array), array == INF, array == -INF
    np.copyto(out, array)
    for where, value in ((missing, nan), (above, posinf), (below, neginf)):
        out[where] = value
