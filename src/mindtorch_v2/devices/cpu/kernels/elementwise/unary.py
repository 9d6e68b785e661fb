"""One number in, one number out: signs, exponentials, logarithms, roots, and the error function."""

from __future__ import annotations

import math

import numpy as np

from ... import activation, unary
from ...half_precision import is_half
from ...layout import compact, empty_as, stored
from ...layout import unary as run_compiled

FRACTION_TERMS = 60  # of Laplace's continued fraction: from NEAR_ZERO on they are enough for float64
NEAR_ZERO = 2


def _sign(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """-1, 0 or 1; a nan has no sign and gives 0."""
    if x.dtype.kind == "b":
        return np.logical_or(x, False, out=out)
    if x.dtype.kind in "iu":
        return np.sign(x, out=out)
    return np.subtract((x > 0).astype(x.dtype), (x < 0).astype(x.dtype), out=out)


def _sgn(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return np.sign(x, out=out) if x.dtype.kind == "c" else _sign(x, out)


def _rsqrt(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return np.divide(x.dtype.type(1), np.sqrt(x), out=out)


def _rsqrt_loop(out: np.ndarray, x: np.ndarray) -> None:
    if is_half(x):  # torch rounds the root before it divides
        unary.sqrt(out, x)
        unary.reciprocal(out, out)
    else:
        unary.rsqrt(out, x)


def _erf(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return run_compiled(activation.erf, x, out)


def _erfinv(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return run_compiled(activation.erfinv, x, out)


def _erfc(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """1 - erf(x), computed in float64 with all its digits where that is close to zero."""
    wide = compact(x.astype(np.float64, copy=False))
    near = np.empty(wide.shape)
    activation.erf(near, wide)
    distance = np.abs(wide)
    fraction = distance
    for k in range(FRACTION_TERMS, 0, -1):
        fraction = distance + k / 2 / fraction
    tail = np.exp(-distance * distance) / (math.sqrt(math.pi) * fraction)
    complement = np.where(distance < NEAR_ZERO, 1 - near, np.where(wide > 0, tail, 2 - tail))
    return stored(complement, empty_as(x) if out is None else out)


ELEMENTWISE = {
    "abs": (np.absolute, unary.abs),
    "sign": (_sign, None),
    "sgn": (_sgn, None),
    "exp": (np.exp, unary.exp),
    "exp2": (np.exp2, None),
    "expm1": (np.expm1, None),
    "log": (np.log, None),
    "log2": (np.log2, None),
    "log10": (np.log10, None),
    "log1p": (np.log1p, None),
    "sqrt": (np.sqrt, unary.sqrt),
    "rsqrt": (_rsqrt, _rsqrt_loop),
    "reciprocal": (np.reciprocal, unary.reciprocal),
    "erf": (_erf, activation.erf),
    "erfc": (_erfc, None),
    "erfinv": (_erfinv, activation.erfinv),
}
