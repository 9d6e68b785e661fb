# cython: annotation_typing=False
"""Powers of arrays, to arrays and to numbers."""

from __future__ import annotations

import numpy as np

from ...layout import stored


def _power(base: np.ndarray, exponent: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    if base.dtype.kind not in "iu" or not (np.asarray(exponent) < 0).any():
        return np.power(base, exponent, out=out)
    # torch: 1 and -1 have integer inverses, everything else falls to zero
    odd = np.where(np.asarray(exponent) % 2 == 0, 1, base)
    unit = np.where(np.abs(base) == 1, odd, 0)
    return stored(np.where(exponent < 0, unit, np.power(base, np.maximum(exponent, 0))), out)


def _cube(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return np.multiply(np.square(x), x, out=out)


def _inverse_root(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return np.divide(x.dtype.type(1), np.sqrt(x), out=out)


def _inverse_square(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return np.reciprocal(np.square(x), out=out)


# Exponents that have a better way than np.power.
SHORT_CUTS = {2: np.square, 0.5: np.sqrt, 3: _cube, -1: np.reciprocal, -0.5: _inverse_root, -2: _inverse_square}


def _raise_to(base: np.ndarray, exponent, out: np.ndarray | None = None) -> np.ndarray:
    """An array to the power of a number."""
    way = SHORT_CUTS.get(exponent)
    if way is not None and (base.dtype.kind not in "iu" or exponent > 0):
        return way(base, out=out)
    return np.power(base, base.dtype.type(exponent), out=out)


ELEMENTWISE = {
    "pow": (_power, None),
    "pow_scalar": (_raise_to, None),
}
