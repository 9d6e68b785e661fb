"""Kaiser's window, the only one that is not made of elementwise ops."""

from __future__ import annotations

import numpy as np

from ...half_precision import widened


def kaiser_window(out: np.ndarray, positions: np.ndarray, beta: float) -> None:
    """A Bessel function of an ellipse over the positions 0, 1, …, as large at its ends as beta says."""
    from scipy.special import i0
    wide = widened(positions).astype(np.float64)
    middle = (len(wide) - 1) / 2
    height = np.sqrt(np.maximum(1 - np.square((wide - middle) / middle), 0))
    np.copyto(out, i0(beta * height) / i0(beta), casting="unsafe")
