"""The exponential of matrices."""

from __future__ import annotations

import numpy as np

from ...errstate import silent
from ...lapack import limit_threads


@silent
def matrix_exp(out: np.ndarray, input: np.ndarray) -> None:
    """By SciPy's scaling and squaring, in double precision."""
    from scipy.linalg import expm
    wide = np.complex128 if input.dtype.kind == "c" else np.float64
    if input.size:
        limit_threads(input)
        out[...] = expm(input.astype(wide))
