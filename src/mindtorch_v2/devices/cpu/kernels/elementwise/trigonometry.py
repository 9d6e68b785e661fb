"""Angles and hyperbolas."""

from __future__ import annotations

import numpy as np

ELEMENTWISE = {
    "sin": (np.sin, None), "cos": (np.cos, None), "tan": (np.tan, None),
    "asin": (np.arcsin, None), "acos": (np.arccos, None), "atan": (np.arctan, None),
    "sinh": (np.sinh, None), "cosh": (np.cosh, None),
    "asinh": (np.arcsinh, None), "acosh": (np.arccosh, None), "atanh": (np.arctanh, None),
    "atan2": (np.arctan2, None),
}
