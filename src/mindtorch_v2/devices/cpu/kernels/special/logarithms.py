"""Sums under a logarithm, products with one, and the sine cardinal."""

from __future__ import annotations

import numpy as np

from ... import binary
from ...scipy_special import elementwise, from_scipy


def _logaddexp(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if a.dtype.kind != "c":
        return np.logaddexp(a, b)
    larger, smaller = np.where(a.real >= b.real, a, b), np.where(a.real >= b.real, b, a)
    both_infinite = np.isinf(larger.real) & (larger.real == smaller.real)
    at_infinity = np.where(larger.real < 0, larger, np.log(np.exp(larger) + np.exp(smaller)))
    return np.where(both_infinite, at_infinity, larger + np.log1p(np.exp(smaller - larger)))


def _sinc(x: np.ndarray) -> np.ndarray:
    angle = x.dtype.type(np.pi) * x
    return np.where(x == 0, np.ones((), x.dtype), np.sin(angle) / angle)


ELEMENTWISE = {
    "logaddexp": (elementwise(_logaddexp), binary.logaddexp),
    "logaddexp2": (elementwise(np.logaddexp2), binary.logaddexp2),
    "special_xlog1py": from_scipy("xlog1py"),
    "sinc": (elementwise(_sinc), None),
}
