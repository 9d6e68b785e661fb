"""One number in, one out: roots, reciprocals, signs, exponentials and logarithms, silent about inf and nan."""

from __future__ import annotations

import math

import numpy as np

from ..half_precision import halves_in_float32
from ..scipy_special import scipy_special

Array = np.ndarray
_erfc = np.vectorize(math.erfc, otypes=[np.float64])
_digamma = scipy_special("digamma")
_gammaln = scipy_special("gammaln")
_zeta = scipy_special("zeta")


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
def exp2(out: Array, x: Array) -> None:
    """Two to the x."""
    np.exp2(x, out=out)


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


@_silent
def sign(out: Array, x: Array) -> None:
    """-1, 0 or 1; a NaN has no sign and gives 0."""
    out[...] = (x > 0).astype(x.dtype) - (x < 0).astype(x.dtype)


@_silent
def frac(out: Array, x: Array) -> None:
    """What lies behind the point."""
    np.subtract(x, np.trunc(x), out=out)


@_silent
def erfc(out: Array, x: Array) -> None:
    """1 - erf(x) with all its digits where that is close to zero."""
    out[...] = _erfc(x)


@_silent
def log(out: Array, x: Array) -> None:
    """The natural logarithm."""
    np.log(x, out=out)


@_silent
def log1p(out: Array, x: Array) -> None:
    """log(1 + x), exact near zero."""
    np.log1p(x, out=out)


@_silent
def log2(out: Array, x: Array) -> None:
    """The logarithm in base two."""
    np.log2(x, out=out)


@_silent
def log10(out: Array, x: Array) -> None:
    """The logarithm in base ten."""
    np.log10(x, out=out)


@_silent
def atanh(out: Array, x: Array) -> None:
    """The inverse of tanh."""
    np.arctanh(x, out=out)


@halves_in_float32(outs=1)
@_silent
def digamma(out: Array, x: Array) -> None:
    """The derivative of the logarithm of the gamma function; NaN at its poles, minus infinity at zero."""
    out[...] = _digamma(x)


@halves_in_float32(outs=1)
@_silent
def trigamma(out: Array, x: Array) -> None:
    """The derivative of digamma; below one half by reflection, so poles are as large as rounding leaves them."""
    two, pi = x.dtype.type(2), x.dtype.type(math.pi)
    reflected = np.square(pi / np.sin(pi * x)) - _zeta(two, 1 - x)
    out[...] = np.where(x < 0.5, reflected, _zeta(two, x))


@halves_in_float32(outs=1)
@_silent
def lgamma(out: Array, x: Array) -> None:
    """The logarithm of the absolute value of the gamma function."""
    out[...] = np.where(x == -np.inf, np.abs(x), _gammaln(x))  # at minus infinity SciPy has its negative


def logit(out: Array, x: Array, eps: float) -> None:
    """log(x / (1 - x)), with x held between eps and 1 - eps; a negative eps is no bound."""
    with np.errstate(all="ignore"):
        low, high = x.dtype.type(eps), 1 - x.dtype.type(eps)
        held = x if eps < 0 else np.where(x < low, low, np.where(x > high, high, x))
        np.log(held / (1 - held), out=out)


def finite(out: Array, x: Array, nan: float, posinf: float, neginf: float) -> None:
    """x, with other numbers for a NaN and for the infinities."""
    with np.errstate(all="ignore"):
        out[...] = np.where(np.isnan(x), nan, np.where(x == np.inf, posinf, np.where(x == -np.inf, neginf, x)))
