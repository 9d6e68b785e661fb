"""Slopes drawn for negative elements."""

from __future__ import annotations

import numpy as np

from ... import random
from ...errstate import silent
from ...half_precision import widened


@silent
def rrelu_with_noise(out: np.ndarray, noise: np.ndarray, x: np.ndarray, engine: random.Engine, lower: float,
                     upper: float) -> None:
    """Negative elements and zeros times a number between the bounds, each drawn in turn; the others as they are."""
    wide = widened(x)
    negative = wide <= 0
    slopes = np.empty(int(np.count_nonzero(negative)))
    if slopes.size:
        low, high = np.array([lower, upper], wide.dtype).tolist()  # torch rounds the bounds
        random.uniform_(engine, slopes, low, high)
    slopes = slopes.astype(wide.dtype)
    bent = np.array(wide)
    bent[negative] *= slopes
    out[...] = bent
    noise[...] = 1
    noise[negative] = slopes.astype(noise.dtype)
