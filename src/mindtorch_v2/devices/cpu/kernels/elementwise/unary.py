"""One number in, one number out: signs, exponentials, logarithms, roots, and the error function."""

from __future__ import annotations

import numpy as np

from ... import activation, unary
from ...array_facts import is_half
from ...layout import unary as run_compiled


def _sign(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """-1, 0 or 1; a nan has no sign and gives 0."""
    if x.dtype.kind == "b":
        return np.positive(x.view(np.uint8), out=None if out is None else out.view(np.uint8)).view(np.bool_)
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
    return run_compiled(unary.erfc, x, out)


ELEMENTWISE = {
    "abs": (np.absolute, unary.abs),
    "sign": (_sign, unary.sign),
    "sgn": (_sgn, unary.sign),
    "exp": (np.exp, unary.exp),
    "exp2": (np.exp2, unary.exp2),
    "expm1": (np.expm1, None),
    "log": (np.log, unary.log),
    "log2": (np.log2, unary.log2),
    "log10": (np.log10, unary.log10),
    "log1p": (np.log1p, unary.log1p),
    "sqrt": (np.sqrt, unary.sqrt),
    "rsqrt": (_rsqrt, _rsqrt_loop),
    "reciprocal": (np.reciprocal, unary.reciprocal),
    "erf": (_erf, activation.erf),
    "erfc": (_erfc, unary.erfc),
    "erfinv": (_erfinv, activation.erfinv),
}
