# cython: annotation_typing=False
"""Truth values over some dimensions, which the results keep with size one unless they lie in C order; and counts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import sums
from ...array_facts import size_of
from .sums import reduced_by_loop

FEW = 4096  # elements that NumPy's own loop is done with sooner


def any(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """Whether any element is true."""
    _truth(sums.any_true, np.logical_or, out, source, dims)


def all(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """Whether all elements are true."""
    _truth(sums.all_true, np.logical_and, out, source, dims)


def _truth(loop: Callable, ufunc: np.ufunc, out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    if size_of(source) <= FEW and reduced_by_loop(ufunc, out, source, dims):
        return
    if source.ndim and source.dtype.char not in "FD" and out.dtype.itemsize == 1:
        loop(out, source, dims)
    else:
        np.copyto(out, ufunc.reduce(source, axis=dims, keepdims=out.ndim == source.ndim), casting="unsafe")


def count_nonzero(out: np.ndarray, source: np.ndarray) -> None:
    """How many elements are not zero."""
    if source.ndim:
        sums.count_of_true(out.reshape([1] * source.ndim), source, tuple(range(source.ndim)))
    else:
        out[()] = np.count_nonzero(source)
