"""Whether elements are among others."""

from __future__ import annotations

import numpy as np

from ...half_precision import widened


def isin(out: np.ndarray, elements: np.ndarray, others: np.ndarray, invert: bool) -> None:
    """Whether each element is among others; both are of one type."""
    np.copyto(out, np.isin(widened(elements), widened(others), invert=invert))
