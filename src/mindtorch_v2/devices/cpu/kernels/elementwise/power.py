# cython: annotation_typing=False
"""Powers of arrays, to arrays and to numbers."""

from __future__ import annotations

import numpy as np

from ... import binary, pointwise, unary
from ...array_facts import is_half
from ...layout import empty_as, stored
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


def _cube_in_steps(out: np.ndarray, x: np.ndarray) -> None:
    square = empty_as(x)
    pointwise.mul(square, x, x)
    pointwise.mul(out, square, x)


def _inverse_root_in_steps(out: np.ndarray, x: np.ndarray) -> None:
    unary.sqrt(out, x)
    unary.reciprocal(out, out)


def _inverse_square_in_steps(out: np.ndarray, x: np.ndarray) -> None:
    pointwise.mul(out, x, x)
    unary.reciprocal(out, out)


# Exponents that have a better way than np.power: for any numbers, and compiled loops over floats and over bfloat16,
# which is rounded after every step; torch has no other way for float16.
SHORT_CUTS = {2: (np.square, _square, _square), 0.5: (np.sqrt, unary.sqrt, unary.sqrt),
              3: (_cube, unary.cube, _cube_in_steps), -1: (np.reciprocal, unary.reciprocal, unary.reciprocal),
              -0.5: (_inverse_root, unary.rsqrt, _inverse_root_in_steps),
              -2: (_inverse_square, unary.inverse_square, _inverse_square_in_steps)}


def _raise_to(base: np.ndarray, exponent, out: np.ndarray | None = None) -> np.ndarray:
    """An array to the power of a number."""
    way, loop, loop_in_steps = SHORT_CUTS.get(exponent, (None, None, None))
    if base.dtype.char in "fd" or is_half(base):
        loop = None if base.dtype.char == "e" else loop_in_steps if is_half(base) else loop
        if loop is not None:
            return run_compiled(loop, base, out)
        return run_compiled(binary.pow, base, out, np.asarray(exponent, base.dtype))
    if way is not None and (base.dtype.kind not in "iu" or exponent > 0):
        return way(base, out=out)
    return np.power(base, base.dtype.type(exponent), out=out)


ELEMENTWISE = {
    "pow": (_power, binary.pow),
    "pow_scalar": (_raise_to, None),
}
