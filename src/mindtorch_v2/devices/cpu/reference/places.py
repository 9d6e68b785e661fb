"""Where extremes stand along the middle of an array seen as (outer, n, inner)."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def place_of_extreme(out: Array, x: Array, outer: int, n: int, inner: int, is_smallest: bool) -> None:
    """out[i, k] = the first j with the largest, or smallest, x[i, j, k]; the first NaN where there is one."""
    place = np.argmin if is_smallest else np.argmax
    out.reshape(outer, inner)[...] = place(x.reshape(outer, n, inner), axis=1)
