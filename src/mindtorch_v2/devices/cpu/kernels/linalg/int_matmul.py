"""Products of matrices of bytes."""

from __future__ import annotations

import numpy as np


def int_product(out: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """The product of two matrices of whole numbers, summed in the type of the result."""
    np.matmul(a.astype(out.dtype), b.astype(out.dtype), out=out)
