"""Orthogonal polynomials whose degrees may differ from element to element: three-term recurrences, and angles."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...scipy_special import elementwise

MOST_TERMS = 100_000  # which takes about a second
HERMITE_LIMIT = {"float32": 128, "float64": 512}  # degrees beyond which torch answers nan


def _by_recurrence(x: np.ndarray, degrees: np.ndarray, first: Callable, following: Callable) -> np.ndarray:
    """The polynomial of each element's degree: 1, ``first(x)``, then ``following(k, x, q, p)`` of the two before."""
    if degrees.size and not any(degrees.strides):
        return _of_one_degree(x, int(degrees.flat[0]), first, following)
    values = np.where(degrees < 0, np.zeros((), x.dtype), np.ones((), x.dtype))
    before, latest = np.ones_like(x), first(x).astype(x.dtype, copy=False)
    highest = int(degrees.max(initial=0))
    for k in range(1, highest + 1):
        values = np.where((degrees == k) | (degrees > k) & np.isnan(latest), latest, values)
        if np.isnan(latest[degrees > k]).all():
            break
        if k == MOST_TERMS:
            raise RuntimeError(f"polynomials are computed up to degree {MOST_TERMS}, term by term; got {highest}")
        before, latest = latest, following(k + 1, x, latest, before).astype(x.dtype, copy=False)
    return values


def _of_one_degree(x: np.ndarray, degree: int, first: Callable, following: Callable) -> np.ndarray:
    """The same where all elements have one degree."""
    if degree <= 0:
        return np.full(x.shape, 0 if degree < 0 else 1, x.dtype)
    before, latest = np.ones_like(x), first(x).astype(x.dtype, copy=False)
    for k in range(2, degree + 1):
        if k > MOST_TERMS:
            raise RuntimeError(f"polynomials are computed up to degree {MOST_TERMS}, term by term; got {degree}")
        before, latest = latest, following(k, x, latest, before).astype(x.dtype, copy=False)
    return latest


def _chebyshev(first: Callable, by_angle: Callable, low_degree: int) -> Callable:
    """A kind of Chebyshev polynomials: high degrees inside (-1, 1) are taken from the angle whose cosine is x."""
    def function(x: np.ndarray, n: np.ndarray) -> np.ndarray:
        x, degrees = np.broadcast_arrays(x, n.astype(np.int64))
        if degrees.size and not any(degrees.strides) and degrees.flat[0] <= low_degree:
            return _by_recurrence(x, degrees, first, lambda k, x, q, p: 2 * x * q - p)
        has_angle = (degrees > low_degree) & (np.abs(x) < 1)
        values = _by_recurrence(x, np.where(has_angle, 0, degrees), first, lambda k, x, q, p: 2 * x * q - p)
        angle = np.arccos(x)
        return np.where(has_angle, by_angle(degrees.astype(x.dtype), angle), values)
    return function


def _shifted(function: Callable) -> Callable:
    """The same polynomials on [0, 1]."""
    return lambda x, n: function(2 * x - 1, n)


CHEBYSHEV = {
    "t": _chebyshev(lambda x: x, lambda n, angle: np.cos(n * angle), 6),
    "u": _chebyshev(lambda x: 2 * x, lambda n, angle: np.sin((n + 1) * angle) / np.sin(angle), 8),
    "v": _chebyshev(lambda x: 2 * x - 1, lambda n, angle: np.cos((n + 0.5) * angle) / np.cos(angle / 2), 8),
    "w": _chebyshev(lambda x: 2 * x + 1, lambda n, angle: np.sin((n + 0.5) * angle) / np.sin(angle / 2), 8),
}


def _hermite(factor: int) -> Callable:
    """Hermite's polynomials as physicists (2) or as probabilists (1) have them."""
    def function(x: np.ndarray, n: np.ndarray) -> np.ndarray:
        x, degrees = np.broadcast_arrays(x, n.astype(np.int64))
        beyond = degrees > HERMITE_LIMIT[x.dtype.name]
        any_beyond = beyond.any()
        values = _by_recurrence(x, np.where(beyond, 0, degrees) if any_beyond else degrees, lambda x: factor * x,
                                lambda k, x, q, p: factor * (x * q - (k - 1) * p))
        return values if not any_beyond else np.where(beyond, np.full((), np.nan, x.dtype), values)
    return function


def _laguerre(x: np.ndarray, n: np.ndarray) -> np.ndarray:
    return _by_recurrence(*np.broadcast_arrays(x, n.astype(np.int64)), lambda x: 1 - x,
                          lambda k, x, q, p: ((2 * k - 1 - x) * q - (k - 1) * p) / k)


def _legendre(x: np.ndarray, n: np.ndarray) -> np.ndarray:
    return _by_recurrence(*np.broadcast_arrays(x, n.astype(np.int64)), lambda x: x,
                          lambda k, x, q, p: ((2 * k - 1) * x * q - (k - 1) * p) / k)


FUNCTIONS = {f"chebyshev_polynomial_{kind}": function for kind, function in CHEBYSHEV.items()} | {
    f"shifted_chebyshev_polynomial_{kind}": _shifted(function) for kind, function in CHEBYSHEV.items()} | {
    "hermite_polynomial_h": _hermite(2), "hermite_polynomial_he": _hermite(1),
    "laguerre_polynomial_l": _laguerre, "legendre_polynomial_p": _legendre,
}

ELEMENTWISE = {f"special_{name}": (elementwise(function), None) for name, function in FUNCTIONS.items()}
