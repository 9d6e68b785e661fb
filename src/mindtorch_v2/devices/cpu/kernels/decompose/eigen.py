"""Eigenvalues and eigenvectors."""

from __future__ import annotations

import numpy as np

from ...lapack import matrices, note, routine


def syevd(values: np.ndarray, vectors: np.ndarray, info: np.ndarray, upper: bool, compute_v: bool) -> None:
    """Of matrices that are their own adjoint, one half of which is read; vectors hold them, and then the vectors."""
    work = routine("syevd", vectors.dtype)
    codes = []
    for matrix, numbers in matrices(vectors, values):
        numbers[...], computed, code = work(matrix, lower=not upper, compute_v=compute_v)
        if compute_v:
            matrix[...] = computed
        codes.append(code)
    note(info, codes)


def geev(values: np.ndarray, vectors: np.ndarray | None, input: np.ndarray, info: np.ndarray) -> None:
    """Of any square matrices. Those of real ones come as LAPACK gives them: all real parts, then all imaginary."""
    work = routine("geev", input.dtype)
    codes = []
    for matrix, numbers, columns in matrices(input, values, vectors):
        if not matrix.size:
            codes.append(0)
            continue
        *computed, _, right, code = work(matrix, compute_vl=False, compute_vr=vectors is not None)
        numbers[...] = np.concatenate(computed)
        if columns is not None:
            columns[...] = right
        codes.append(code)
    note(info, codes)


def join_conjugates(vectors: np.ndarray, columns: np.ndarray, imaginary: np.ndarray) -> None:
    """Complex vectors of real matrices: those of a pair of values stand in two columns, real and imaginary parts."""
    vectors[...] = columns
    for joined, parts, numbers in matrices(vectors, columns, imaginary):
        first = np.flatnonzero(numbers > 0)
        joined[:, first] += 1j * parts[:, first + 1]
        joined[:, first + 1] = joined[:, first].conj()
