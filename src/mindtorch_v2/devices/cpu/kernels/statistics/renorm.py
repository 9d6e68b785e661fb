"""By what slices with too large a norm are multiplied."""

from __future__ import annotations

import numpy as np

_SMALL = 1e-7


def renorm_factor(out: np.ndarray, norm: np.ndarray, maxnorm: float) -> None:
    """One, or what brings a norm down to the largest that is allowed."""
    one = norm.dtype.type(1)
    np.copyto(out, np.where(norm > maxnorm, norm.dtype.type(maxnorm) / (norm + norm.dtype.type(_SMALL)), one))
