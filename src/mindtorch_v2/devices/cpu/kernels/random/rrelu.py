"""Slopes drawn for negative elements."""

from __future__ import annotations

import numpy as np

from ... import random
from ...array_facts import is_half
from ...errstate import silent
from ...half_precision import widened

PIECE = 8192  # elements that stay in the cache


@silent
def rrelu_with_noise(out: np.ndarray, noise: np.ndarray, x: np.ndarray, engine: random.Engine, lower: float,
                     upper: float) -> None:
    """Negative elements and zeros times a number between the bounds, each drawn in turn; the others as they are."""
    low, high = np.array([lower, upper], np.float32 if is_half(x) else x.dtype).tolist()  # torch rounds the bounds
    flat = [a.reshape(-1) if a.flags.c_contiguous else np.ascontiguousarray(a).reshape(-1) for a in (out, noise, x)]
    for start in range(0, x.size, PIECE):
        _bend(*[a[start:start + PIECE] for a in flat], engine, low, high)
    for to, piece in ((out, flat[0]), (noise, flat[1])):
        if not to.flags.c_contiguous:
            to[...] = piece.reshape(to.shape)


def _bend(out: np.ndarray, noise: np.ndarray, x: np.ndarray, engine: random.Engine, low: float, high: float) -> None:
    wide = np.array(widened(x))
    negative = np.flatnonzero(wide <= 0)
    slopes = np.empty(negative.size)
    if slopes.size:
        random.uniform_(engine, slopes, low, high)
    slopes = slopes.astype(wide.dtype)
    wide[negative] *= slopes
    out[...] = wide
    noise[...] = 1
    noise[negative] = slopes.astype(noise.dtype)
