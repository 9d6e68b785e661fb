"""Modified Bessel functions of the first kind, as SciPy has them."""

from __future__ import annotations

import numpy as np

from ..half_precision import widened
from ..scipy_special import scipy_special

Array = np.ndarray


def _store(name: str, out: Array, x: Array) -> None:
    np.copyto(out, scipy_special(name)(widened(x)), casting="unsafe")


def bessel_i0(out: Array, x: Array) -> None:
    """Of order zero."""
    _store("i0", out, x)


def bessel_i0e(out: Array, x: Array) -> None:
    """Of order zero, times exp(-|x|)."""
    _store("i0e", out, x)


def bessel_i1(out: Array, x: Array) -> None:
    """Of order one."""
    _store("i1", out, x)


def bessel_i1e(out: Array, x: Array) -> None:
    """Of order one, times exp(-|x|)."""
    _store("i1e", out, x)
