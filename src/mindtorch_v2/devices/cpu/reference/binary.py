"""Two real numbers in, one out: division with a rest, lengths, neighbours, sums of exponentials, powers."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from ..half_precision import halves_in_float32

Array = np.ndarray


def _real(function: Callable) -> Callable:
    @functools.wraps(function)
    @halves_in_float32(outs=1)
    def kernel(out: Array, x: Array, y: Array) -> None:
        if out.dtype.kind != "f":
            raise TypeError(f"kernel wants arrays of one floating dtype, got {out.dtype}")
        with np.errstate(all="ignore"):
            function(out, x, y)
    return kernel


@_real
def fmod(out: Array, x: Array, y: Array) -> None:
    """The rest of a division towards zero; it has the sign of x."""
    np.fmod(x, y, out=out)


@_real
def remainder(out: Array, x: Array, y: Array) -> None:
    """The rest of a division towards minus infinity; it has the sign of y."""
    rest = np.fmod(x, y)
    out[...] = np.where((rest != 0) & ((y < 0) != (rest < 0)), rest + y, rest)


@_real
def floor_divide(out: Array, x: Array, y: Array) -> None:
    """The quotient, rounded towards minus infinity."""
    rest = np.fmod(x, y)
    near = (x - rest) / y - ((rest != 0) & ((y < 0) != (rest < 0)))
    whole = np.floor(near)
    quotient = np.where(near - whole > 0.5, whole + 1, whole)
    out[...] = np.where(y == 0, x / y, np.where(near != 0, quotient, np.copysign(0, x / y)))


@_real
def hypot(out: Array, x: Array, y: Array) -> None:
    """The length of the hypotenuse over x and y."""
    np.hypot(x, y, out=out)


@_real
def nextafter(out: Array, x: Array, y: Array) -> None:
    """The number next to x in the direction of y."""
    np.nextafter(x, y, out=out)


@_real
def copysign(out: Array, x: Array, y: Array) -> None:
    """x with the sign of y."""
    np.copysign(x, y, out=out)


@_real
def logaddexp(out: Array, x: Array, y: Array) -> None:
    """log(exp(x) + exp(y)) without overflow."""
    np.logaddexp(x, y, out=out)


@_real
def logaddexp2(out: Array, x: Array, y: Array) -> None:
    """The same in base two."""
    np.logaddexp2(x, y, out=out)


@_real
def xlogy(out: Array, x: Array, y: Array) -> None:
    """x log(y), which is zero where x is."""
    out[...] = np.where(np.isnan(y), y, np.where(x == 0, 0, x * np.log(y)))


@_real
def pow(out: Array, x: Array, y: Array) -> None:
    """x to the power of y."""
    np.power(x, y, out=out)


@_real
def prelu(out: Array, x: Array, y: Array) -> None:
    """x above zero, x * y elsewhere."""
    out[...] = np.where(x > 0, x, x * y)
