"""Singular values and singular vectors."""

from __future__ import annotations

import numpy as np

from ...lapack import matrices, note, routine

NON_FINITE = -4  # what newer versions of LAPACK answer


def gesdd(u: np.ndarray, s: np.ndarray, vh: np.ndarray, input: np.ndarray, info: np.ndarray, full_matrices: bool,
          compute_uv: bool) -> None:
    """By divide and conquer; u and vh are not looked at where no vectors are asked for."""
    work = routine("gesdd", input.dtype)
    codes = []
    for matrix, values, left, right in matrices(input, s, u if compute_uv else None, vh if compute_uv else None):
        if not np.isfinite(matrix).all():
            codes.append(NON_FINITE)
            continue
        left_vectors, values[...], turned, code = work(matrix, compute_uv=compute_uv, full_matrices=full_matrices)
        if compute_uv:
            left[...], right[...] = left_vectors, turned
        codes.append(code)
    note(info, codes)
