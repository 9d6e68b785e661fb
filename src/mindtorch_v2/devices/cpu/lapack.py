"""LAPACK's routines, as SciPy brings them, by the type of numbers they are for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

PREFIXES = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}
# Routines that have another name where numbers are complex: their matrices are unitary, not orthogonal.
COMPLEX_NAMES = {"orgqr": "ungqr", "ormqr": "unmqr", "syevd": "heevd"}


@cache
def routine(name: str, dtype: np.dtype) -> Callable:
    """A routine for one type; SciPy is loaded when the first one is asked for."""
    from scipy.linalg import lapack
    if dtype.kind == "c":
        name = COMPLEX_NAMES.get(name, name)
    return getattr(lapack, PREFIXES[dtype.name] + name)


@cache
def blas(name: str, dtype: np.dtype) -> Callable:
    """A routine of BLAS."""
    from scipy.linalg import blas
    return getattr(blas, PREFIXES[dtype.name] + name)


def matrices(*batches: np.ndarray | None) -> Iterator[tuple]:
    """The items of batches of one size, matrix by matrix; of None, None each time.

    What is a matrix in the first of them says how many dimensions come before.
    """
    batch = batches[0].shape[:-2]
    for at in np.ndindex(*batch):
        yield tuple([array if array is None else array[at] for array in batches])


def note(info: np.ndarray, codes: list[int]) -> None:
    """What LAPACK said of each matrix; of no matrix at all, what stands there remains."""
    if codes:
        info[...] = np.reshape(codes, info.shape)
