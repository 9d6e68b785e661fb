"""Eigenvalues and singular values of batches of matrices by LAPACK, and their vectors, one by one."""

from __future__ import annotations

import numpy as np

from ..lapack import matrices, routine

Array = np.ndarray
NON_FINITE = -4  # what newer versions of LAPACK answer


def syevd(vectors: Array, values: Array, codes: Array, upper: bool, compute_v: bool) -> None:
    """Eigenvalues of matrices that are their own adjoint, one half of which is read, and vectors in their place."""
    work = routine("syevd", vectors.dtype)
    for at, (matrix, numbers) in enumerate(matrices(vectors, values)):
        numbers[...], computed, codes[at] = work(matrix, lower=not upper, compute_v=compute_v)
        if compute_v:
            matrix[...] = computed


def geev(input: Array, values: Array, vectors: Array | None, codes: Array) -> None:
    """Eigenvalues of any square matrices, which are overwritten; of real ones real parts, then imaginary ones."""
    work = routine("geev", input.dtype)
    for at, (matrix, numbers, columns) in enumerate(matrices(input, values, vectors)):
        codes[at] = 0
        if matrix.size:
            *computed, _, right, codes[at] = work(matrix, compute_vl=False, compute_vr=vectors is not None)
            numbers[...] = np.concatenate(computed)
            if columns is not None:
                columns[...] = right


def gesdd(input: Array, s: Array, u: Array | None, vh: Array | None, codes: Array, full_matrices: bool) -> None:
    """Singular values by divide and conquer, of matrices that are overwritten, and vectors where they are wanted."""
    work = routine("gesdd", input.dtype)
    for at, (matrix, values, left, right) in enumerate(matrices(input, s, u, vh)):
        codes[at] = NON_FINITE
        if np.isfinite(matrix).all():
            left_vectors, values[...], turned, codes[at] = work(matrix, compute_uv=u is not None,
                                                                full_matrices=full_matrices)
            if u is not None:
                left[...], right[...] = left_vectors, turned
