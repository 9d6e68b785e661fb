# cython: annotation_typing=False
"""Powers of arrays, to arrays and to numbers."""

from __future__ import annotations

import numpy as np

from ... import pointwise, unary
from ...layout import stored
from ...layout import unary as run_compiled


def _power(base: np.ndarray, exponent: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    if base.dtype.kind not in "iu" or not (np.asarray(exponent) < 0).any():
        return np.power(base, exponent, out=out)
    # torch: 1 and -1 have integer inverses, everything else falls to zero
    odd = np.where(np.asarray(exponent) % 2 == 0, 1, base)
    unit = np.where(np.abs(base) == 1, odd, 0)
    return stored(np.where(exponent < 0, unit, np.power(base, np.maximum(exponent, 0))), out)


def _square(out: np.ndarray, x: np.ndarray) -> None:
    pointwise.mul(out, x, x)


def _cube(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return np.multiply(np.square(x), x, out=out)


def _inverse_root(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return np.divide(x.dtype.type(1), np.sqrt(x), out=out)


def _inverse_square(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return np.reciprocal(np.square(x), out=out)


# Exponents that have a better way than np.power: for any numbers, and a compiled loop over floats, which halves do not
# take: they are rounded after every step.
SHORT_CUTS = {2: (np.square, _square), 0.5: (np.sqrt, unary.sqrt), 3: (_cube, unary.cube),
              -1: (np.reciprocal, unary.reciprocal), -0.5: (_inverse_root, unary.rsqrt),
              -2: (_inverse_square, unary.inverse_square)}


def _raise_to(base: np.ndarray, exponent, out: np.ndarray | None = None) -> np.ndarray:
    """An array to the power of a number."""
    way, loop = SHORT_CUTS.get(exponent, (None, None))
    if loop is not None and base.dtype.char in "fd":
        return run_compiled(loop, base, out)
    if way is not None and (base.dtype.kind not in "iu" or exponent > 0):
        return way(base, out=out)
    return np.power(base, base.dtype.type(exponent), out=out)


ELEMENTWISE = {
    "pow": (_power, None),
    "pow_scalar": (_raise_to, None),
}
