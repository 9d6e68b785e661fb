"""Sums, differences, products and quotients."""

from __future__ import annotations

import numpy as np

from ... import pointwise, unary


def _add(a: np.ndarray, b: np.ndarray, alpha, out: np.ndarray | None = None) -> np.ndarray:
    return np.add(a, b if alpha == 1 else b * a.dtype.type(alpha), out)


def _sub(a: np.ndarray, b: np.ndarray, alpha, out: np.ndarray | None = None) -> np.ndarray:
    return np.subtract(a, b if alpha == 1 else b * a.dtype.type(alpha), out)


ELEMENTWISE = {
    "add": (_add, pointwise.add, np.add),
    "sub": (_sub, pointwise.sub, np.subtract),
    "mul": (np.multiply, pointwise.mul),
    "div": (np.true_divide, pointwise.div),
    "neg": (np.negative, unary.neg),
}
