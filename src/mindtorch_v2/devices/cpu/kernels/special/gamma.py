"""The gamma function's logarithm and its derivatives, incomplete gamma functions, Hurwitz' zeta function."""

from __future__ import annotations

import numpy as np

from ... import unary
from ...half_precision import widened
from ...layout import stored
from ...layout import unary as run_compiled
from ...scipy_special import elementwise, scipy_special

_gammaln = scipy_special("gammaln")
_scipy_zeta = scipy_special("zeta")


def _zeta(x: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The sum of 1 / (k + q)**x over all k from 0 on; torch's loop ends in nan where q is infinite."""
    return np.where(np.isposinf(q) & (x > 1), np.full((), np.nan, q.dtype), _scipy_zeta(x, q))


def _polygamma(n: int, x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """The derivative of order n of digamma."""
    loop = (unary.digamma, unary.trigamma)[n] if n < 2 else _higher_derivative
    return run_compiled(loop, x, out, *([n] if n > 1 else []))


def _higher_derivative(out: np.ndarray, x: np.ndarray, n: int) -> None:
    wide = widened(x)
    order = wide.dtype.type(n + 1)
    factorial = np.exp(_gammaln(order))
    stored((factorial if n % 2 else -factorial) * _zeta(order, wide), out)


def _lgamma(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return run_compiled(unary.lgamma, x, out)


def _digamma(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return run_compiled(unary.digamma, x, out)


def _incomplete(name: str, at_zero: float):
    """An incomplete gamma function, whose limits hold in torch although the other argument is nan."""
    inner = scipy_special(name)

    def function(a: np.ndarray, x: np.ndarray) -> np.ndarray:
        at_limit = np.isnan(a) & ((x == 0) | np.isposinf(x)) | np.isposinf(a) & np.isnan(x)
        limit = np.where(np.isposinf(x), 1 - at_zero, at_zero).astype(x.dtype)
        return np.where(at_limit, limit, inner(a, x))
    return function


ELEMENTWISE = {
    "lgamma": (_lgamma, unary.lgamma),
    "digamma": (_digamma, unary.digamma),
    "polygamma": (_polygamma, None),
    "igamma": (elementwise(_incomplete("gammainc", 0.0)), None),
    "igammac": (elementwise(_incomplete("gammaincc", 1.0)), None),
    "special_zeta": (elementwise(_zeta), None),
}
