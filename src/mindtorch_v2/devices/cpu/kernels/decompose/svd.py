"""Singular values and singular vectors."""

from __future__ import annotations

import numpy as np

from ... import lapack_values
from ...lapack import on_columns


def gesdd(u: np.ndarray, s: np.ndarray, vh: np.ndarray, input: np.ndarray, info: np.ndarray, full_matrices: bool,
          compute_uv: bool) -> None:
    """By divide and conquer, of matrices that are overwritten; u and vh are not looked at where none are asked for."""
    vectors = (u, vh) if compute_uv else (None, None)
    on_columns(lapack_values.gesdd, (input, s, *vectors), (), info, full_matrices)
