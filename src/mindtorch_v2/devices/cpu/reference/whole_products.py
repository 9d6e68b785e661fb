"""Products of batches of matrices of whole numbers, in their own type."""

from __future__ import annotations

import numpy as np


def multiply_whole(out: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """out = a @ b of matrices, or of batches with one dimension before them; arrays in C order, of one type."""
    np.matmul(a, b, out)
