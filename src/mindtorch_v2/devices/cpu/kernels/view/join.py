# cython: annotation_typing=False
"""Arrays one after the other."""

from __future__ import annotations

import numpy as np


def concatenate(out: np.ndarray, arrays: list[np.ndarray], dim: int) -> None:
    """Arrays of one type along a dimension."""
    np.concatenate(arrays, dim, out=out)
