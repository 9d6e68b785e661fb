# cython: annotation_typing=False
"""LAPACK's routines, as SciPy brings them, by the type of numbers they are for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from . import pool
from .blas_threads import Blas, blas_below

PREFIXES = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}
WORTH_THREADS = 512  # rows and columns of a matrix from which LAPACK gains by several threads
SMALL = 16  # rows and columns of a matrix up to which loops of our own are quicker than LAPACK
OF_BLAS = {"trsm"}  # the others are LAPACK's
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
def published(name: str, dtype: np.dtype):
    """The address of a routine of LAPACK or BLAS for one type, as SciPy publishes it for Cython."""
    from scipy.linalg import cython_blas, cython_lapack
    if dtype.kind == "c":
        name = COMPLEX_NAMES.get(name, name)
    library = cython_blas if name in OF_BLAS else cython_lapack
    return library.__pyx_capi__[PREFIXES[dtype.name] + name]


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


@cache
def _blas_below_scipy() -> Blas | None:
    import scipy
    from scipy.linalg import _flapack
    return blas_below(scipy, _flapack)


def limit_threads(matrices: np.ndarray) -> None:
    """Let SciPy's BLAS use as many threads as were set for kernels, or one where more would only wait.

    Matrices of a batch are shared out among the kernels' own threads.
    """
    library = _blas_below_scipy()
    if library is not None:
        is_large = min(matrices.shape[-2:]) >= WORTH_THREADS and math.prod(matrices.shape[:-2]) == 1
        library.set_threads(pool.get_threads() if is_large else 1)


def on_columns(loop: Callable, results: tuple, inputs: tuple = (), info: np.ndarray | None = None, *options) -> None:
    """Run a loop over batches, the first of matrices, brought into columns where they lie otherwise.

    ``info`` takes what LAPACK says of each matrix, if it says anything; of no matrix at all, what stands there remains.
    """
    first = results[0]
    ndim, count = first.ndim, math.prod(first.shape[:-2])
    limit_threads(first)
    laid = [_by_columns(array, ndim) for array in (*results, *inputs)]
    if info is None:
        loop(*laid, *options)
    else:
        is_direct = info.dtype == np.int32 and info.size == count and info.flags.c_contiguous
        codes = info.reshape(-1) if is_direct else np.empty(count, np.int32)
        loop(*laid, codes, *options)
        if count and not is_direct:
            info[...] = codes.reshape(info.shape)
    for given, array in zip(results, laid):
        if array is not given:
            given[...] = array


def _by_columns(array: np.ndarray | None, ndim: int) -> np.ndarray | None:
    """Matrices, which have so many dimensions, column by column, or numbers side by side; the same if they are so."""
    if array is None or not array.size:
        return array
    size, strides, shape = array.itemsize, array.strides, array.shape
    if array.ndim < ndim:
        return array if strides[-1] == size or shape[-1] == 1 else np.ascontiguousarray(array)
    down, across = strides[-2:]
    if (down == size or shape[-2] == 1) and (shape[-1] == 1 or across % size == 0 and across >= size * shape[-2]):
        return array
    return np.ascontiguousarray(array.swapaxes(-1, -2)).swapaxes(-1, -2)


def small_by_columns(*batches: np.ndarray) -> list[np.ndarray] | None:
    """Batches of small real matrices as (batch, columns, rows), if they lie so in memory; else None."""
    turned = [array.swapaxes(-1, -2) for array in batches]
    if batches[0].dtype.char not in "fd" or max(batches[0].shape[-2:]) > SMALL \
            or not all([array.flags.c_contiguous and array.size for array in turned]):
        return None
    return [array.reshape(-1, *array.shape[-2:]) for array in turned]
