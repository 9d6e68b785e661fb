"""Eigenvalues and eigenvectors."""

from __future__ import annotations

import numpy as np

from ... import lapack_values
from ...lapack import on_columns


def syevd(values: np.ndarray, vectors: np.ndarray, info: np.ndarray, upper: bool, compute_v: bool) -> None:
    """Of matrices that are their own adjoint, one half of which is read; vectors hold them, and then the vectors."""
    on_columns(lapack_values.syevd, (vectors, values), (), info, upper, compute_v)


def geev(values: np.ndarray, vectors: np.ndarray | None, input: np.ndarray, info: np.ndarray) -> None:
    """Of any square matrices, which are overwritten. Values of real ones come as all real parts, then all imaginary."""
    on_columns(lapack_values.geev, (input, values, vectors), (), info)


def join_conjugates(vectors: np.ndarray, columns: np.ndarray, imaginary: np.ndarray) -> None:
    """Complex vectors of real matrices: those of a pair of values stand in two columns, real and imaginary parts."""
    vectors[...] = columns
    first = np.nonzero(imaginary > 0)
    second = (*first[:-1], first[-1] + 1)
    into, parts = vectors.swapaxes(-1, -2), columns.swapaxes(-1, -2)
    pairs = np.empty((len(first[-1]), columns.shape[-2]), vectors.dtype)
    pairs.real, pairs.imag = parts[first], parts[second]
    into[first] = pairs
    into[second] = pairs.conj()
