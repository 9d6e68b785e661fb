"""Around the normal distribution: its distribution function's inverse and logarithm, erfcx, entropy, logit."""

from __future__ import annotations

import numpy as np

from ... import unary
from ...array_facts import is_half
from ...errstate import silent
from ...half_precision import widened
from ...layout import stored
from ...scipy_special import from_scipy

ELEMENTWISE = {
    "special_entr": from_scipy("entr"),
    "special_erfcx": from_scipy("erfcx"),
    "special_log_ndtr": from_scipy("log_ndtr"),
    "special_ndtri": from_scipy("ndtri"),
}


@silent
def logit(out: np.ndarray, x: np.ndarray, eps: float | None) -> None:
    """The logarithm of x / (1 - x); x is first brought into [eps, 1 - eps]."""
    if x.dtype is out.dtype and x.dtype.char in "fd":
        unary.logit(out, x, -1 if eps is None else eps)
        return
    if eps is not None:
        low = x.dtype.type(eps)
        x = np.where(x < low, low, np.where(x > x.dtype.type(1) - low, x.dtype.type(1) - low, x))
    wide = widened(x)
    stored(np.log(wide / (1 - wide)), out)


@silent
def _logit_backward(grad: np.ndarray, x: np.ndarray, eps: float | None, out: np.ndarray | None = None) -> np.ndarray:
    """The gradient of logit: nothing, or nan, comes through where x is outside its bounds."""
    kind = x.dtype
    if is_half(x):
        grad, x = grad.astype(np.float32), x.astype(np.float32)
    low = 0 if eps is None else eps
    outside = np.nan if eps is None else 0
    slope = np.where((x < low) | (x > 1 - low), x.dtype.type(outside), grad / (x * (1 - x)))
    if eps is None:
        slope = np.where((x == 0) | (x == 1), grad * x.dtype.type(np.inf), slope)
    return stored(slope.astype(kind, copy=False), out)


ELEMENTWISE["logit_backward"] = (_logit_backward, None)
