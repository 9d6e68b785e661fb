"""The gamma function's logarithm and its derivatives, incomplete gamma functions, Hurwitz' zeta function."""

from __future__ import annotations

import math

import numpy as np

from ...scipy_special import elementwise, from_scipy, scipy_special

_gammaln = scipy_special("gammaln")
_digamma = scipy_special("digamma")
_scipy_zeta = scipy_special("zeta")


def _lgamma(x: np.ndarray) -> np.ndarray:
    return np.where(x == -np.inf, np.abs(x), _gammaln(x))  # at minus infinity SciPy has its negative


def _zeta(x: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The sum of 1 / (k + q)**x over all k from 0 on; torch's loop ends in nan where q is infinite."""
    return np.where(np.isposinf(q) & (x > 1), np.full((), np.nan, q.dtype), _scipy_zeta(x, q))


def _trigamma(x: np.ndarray) -> np.ndarray:
    """Below one half by reflection, as torch does: poles are as large as rounding leaves them."""
    two, pi = x.dtype.type(2), x.dtype.type(math.pi)
    reflected = np.square(pi / np.sin(pi * x)) - _scipy_zeta(two, 1 - x)
    return np.where(x < 0.5, reflected, _scipy_zeta(two, x))


def _polygamma(n: int, x: np.ndarray) -> np.ndarray:
    """The derivative of order n of digamma."""
    if n == 0:
        return _digamma(x)
    if n == 1:
        return _trigamma(x)
    order = x.dtype.type(n + 1)
    factorial = np.exp(_gammaln(order))
    return (factorial if n % 2 else -factorial) * _zeta(order, x)


def _incomplete(name: str, at_zero: float):
    """An incomplete gamma function, whose limits hold in torch although the other argument is nan."""
    inner = scipy_special(name)

    def function(a: np.ndarray, x: np.ndarray) -> np.ndarray:
        at_limit = np.isnan(a) & ((x == 0) | np.isposinf(x)) | np.isposinf(a) & np.isnan(x)
        limit = np.where(np.isposinf(x), 1 - at_zero, at_zero).astype(x.dtype)
        return np.where(at_limit, limit, inner(a, x))
    return function


ELEMENTWISE = {
    "lgamma": (elementwise(_lgamma), None),
    "digamma": from_scipy("digamma"),
    "polygamma": (elementwise(_polygamma), None),
    "igamma": (elementwise(_incomplete("gammainc", 0.0)), None),
    "igammac": (elementwise(_incomplete("gammaincc", 1.0)), None),
    "special_zeta": (elementwise(_zeta), None),
}
