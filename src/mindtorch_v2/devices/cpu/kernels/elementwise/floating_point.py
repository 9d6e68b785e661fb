"""Numbers in floating point: signs, neighbours, mantissas and exponents."""

from __future__ import annotations

import numpy as np

from ... import binary
from ...array_facts import is_half
from ...errstate import silent
from ...layout import stored


def _heaviside(x: np.ndarray, at_zero: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return stored(np.where(x == 0, at_zero, (x > 0).astype(x.dtype)), out)


def _nextafter_loop(out: np.ndarray, x: np.ndarray, y: np.ndarray) -> None:
    if is_half(x):  # whose neighbours lie further apart than those of the float32 that they are computed in
        np.nextafter(x, y, out)
    else:
        binary.nextafter(out, x, y)


@silent
def ldexp(out: np.ndarray, source: np.ndarray, exponent: np.ndarray) -> None:
    """source times two to the power of whole numbers."""
    wide = source.astype(np.float32) if is_half(source) else source
    limits = np.iinfo(np.int32)
    np.copyto(out, np.ldexp(wide, np.clip(exponent, limits.min, limits.max).astype(np.int32)), casting="unsafe")


@silent
def frexp(mantissa: np.ndarray, exponent: np.ndarray, source: np.ndarray) -> None:
    """Mantissas between a half and one, and the powers of two that they are multiplied by."""
    np.frexp(source, mantissa, exponent)


ELEMENTWISE = {
    "copysign": (np.copysign, binary.copysign), "hypot": (np.hypot, binary.hypot),
    "nextafter": (np.nextafter, _nextafter_loop),
    "heaviside": (_heaviside, None),
}
