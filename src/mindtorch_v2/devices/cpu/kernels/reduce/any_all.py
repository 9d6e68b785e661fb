# cython: annotation_typing=False
"""Truth values over some dimensions, which the results keep with size one unless they lie in C order; and counts."""

from __future__ import annotations

import numpy as np

from .sums import reduced_by_loop


def any(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """Whether any element is true."""
    if not reduced_by_loop(np.logical_or, out, source, dims):
        np.copyto(out, np.logical_or.reduce(source, axis=dims, keepdims=out.ndim == source.ndim), casting="unsafe")


def all(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """Whether all elements are true."""
    if not reduced_by_loop(np.logical_and, out, source, dims):
        np.copyto(out, np.logical_and.reduce(source, axis=dims, keepdims=out.ndim == source.ndim), casting="unsafe")


def count_nonzero(out: np.ndarray, source: np.ndarray) -> None:
    """How many elements are not zero."""
    out[()] = np.count_nonzero(source)
