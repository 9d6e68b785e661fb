"""Bessel functions of all kinds, and Airy's."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import bessel
from ...layout import unary
from ...scipy_special import elementwise, from_scipy, scipy_special

VANISHED = 103.892  # where Ai is below the smallest float64
SMALL = 0.5  # below it sin(x) / x loses digits

_airy = scipy_special("airy")


def _airy_ai(x: np.ndarray) -> np.ndarray:
    return np.where((x > VANISHED) & np.isfinite(x), np.zeros((), x.dtype), _airy(x)[0])


def _spherical_j0(x: np.ndarray) -> np.ndarray:
    quotient = np.sin(x) / x
    square = np.square(x)
    near_zero = 1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72 * (1 - square / 110))))
    return np.where(np.isinf(x), np.zeros((), x.dtype), np.where(np.abs(x) < SMALL, near_zero, quotient))


# torch's names, and SciPy's where it has the same function
NAMES = {
    "special_bessel_j0": "j0", "special_bessel_j1": "j1", "special_bessel_y0": "y0", "special_bessel_y1": "y1",
    "special_modified_bessel_k0": "k0", "special_modified_bessel_k1": "k1",
    "special_scaled_modified_bessel_k0": "k0e", "special_scaled_modified_bessel_k1": "k1e",
}

def _looped(loop: Callable) -> Callable:
    """What a loop makes of floats, for whoever gives no result."""
    return lambda x, out=None: unary(loop, x, out)


ELEMENTWISE = {
    "i0": (_looped(bessel.bessel_i0), bessel.bessel_i0),
    "special_i0e": (_looped(bessel.bessel_i0e), bessel.bessel_i0e),
    "special_i1": (_looped(bessel.bessel_i1), bessel.bessel_i1),
    "special_i1e": (_looped(bessel.bessel_i1e), bessel.bessel_i1e),
    # the same functions, which torch does not have for half precision
    "special_modified_bessel_i0": (_looped(bessel.bessel_i0), None),
    "special_modified_bessel_i1": (_looped(bessel.bessel_i1), None),
}
ELEMENTWISE |= {name: from_scipy(of) for name, of in NAMES.items()} | {
    "special_airy_ai": (elementwise(_airy_ai), None),
    "special_spherical_bessel_j0": (elementwise(_spherical_j0), None),
}
