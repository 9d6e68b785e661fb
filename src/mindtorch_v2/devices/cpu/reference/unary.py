"""One number in, one out: roots, reciprocals, signs and exponentials, silent about inf and nan."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def _silent(function):
    def kernel(out: Array, x: Array) -> None:
        with np.errstate(all="ignore"):
            function(out, x)
    kernel.__doc__ = function.__doc__
    return kernel


@_silent
def sqrt(out: Array, x: Array) -> None:
    """The square root."""
    np.sqrt(x, out=out)


@_silent
def rsqrt(out: Array, x: Array) -> None:
    """One over the square root."""
    np.divide(1, np.sqrt(x), out=out)


@_silent
def reciprocal(out: Array, x: Array) -> None:
    """One over x."""
    np.divide(1, x, out=out)


@_silent
def neg(out: Array, x: Array) -> None:
    """Minus x."""
    np.negative(x, out=out)


@_silent
def abs(out: Array, x: Array) -> None:
    """x without its sign."""
    np.absolute(x, out=out)


@_silent
def exp(out: Array, x: Array) -> None:
    """e to the x."""
    np.exp(x, out=out)


@_silent
def tanh(out: Array, x: Array) -> None:
    """The hyperbolic tangent."""
    np.tanh(x, out=out)


@_silent
def cube(out: Array, x: Array) -> None:
    """x times x times x."""
    np.multiply(np.square(x), x, out=out)


@_silent
def inverse_square(out: Array, x: Array) -> None:
    """One over x times x."""
    np.divide(1, np.square(x), out=out)
