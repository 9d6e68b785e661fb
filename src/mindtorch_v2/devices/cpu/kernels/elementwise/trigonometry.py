"""Angles and hyperbolas."""

from __future__ import annotations

import numpy as np

from ... import unary
from ...layout import stored


def _angle(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    if x.dtype.kind == "c":
        return stored(np.angle(x).astype(x.dtype), out)
    flat = np.where(x < 0, x.dtype.type(np.pi), x.dtype.type(0))
    return stored(np.where(np.isnan(x), x, flat), out)


ELEMENTWISE = {
    "sin": (np.sin, None), "cos": (np.cos, None), "tan": (np.tan, None),
    "asin": (np.arcsin, None), "acos": (np.arccos, None), "atan": (np.arctan, None),
    "sinh": (np.sinh, None), "cosh": (np.cosh, None),
    "asinh": (np.arcsinh, None), "acosh": (np.arccosh, None), "atanh": (np.arctanh, unary.atanh),
    "atan2": (np.arctan2, None),
    "angle": (_angle, None),
}
