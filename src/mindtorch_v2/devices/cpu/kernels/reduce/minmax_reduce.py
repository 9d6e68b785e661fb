# cython: annotation_typing=False
"""The largest and the smallest, and where they stand. Results keep the reduced dimensions, with
size one, or lie in C order without them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import numpy_loops, sums
from ...errstate import silent
from ...half_precision import widened
from .sums import has_loop, reduced_by_loop

FEW = 4096  # elements that one thread is done with sooner than it could share them out


def _extreme(loop: Callable, ufunc: np.ufunc, out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    if not source.ndim:
        np.copyto(out, source)
    elif source.size <= FEW and reduced_by_loop(ufunc, out, source, dims):
        return
    elif has_loop(source) and source.dtype == out.dtype and dims:
        loop(out, source, dims)
    else:
        ufunc.reduce(source, axis=dims, out=out, keepdims=out.ndim == source.ndim)


def amax(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """The largest elements over some dimensions."""
    _extreme(sums.largest, np.maximum, out, source, dims)


def amin(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """The smallest elements over some dimensions."""
    _extreme(sums.smallest, np.minimum, out, source, dims)


def _extreme_of_all(loop: Callable, ufunc: np.ufunc, source: np.ndarray):
    if not source.ndim:
        return source.item()
    out = np.empty((), source.dtype)
    if source.size <= FEW and numpy_loops.reduce_by_numpy_loop(ufunc, out, source, 1, source.size, 1):
        return out.item()
    if has_loop(source) and source.size:
        _extreme(loop, ufunc, out.reshape([1] * source.ndim), source, tuple(range(source.ndim)))
        return out.item()
    return ufunc.reduce(source, axis=None).item()


def largest(source: np.ndarray):
    """The largest of all elements, as a number."""
    return _extreme_of_all(sums.largest, np.maximum, source)


def smallest(source: np.ndarray):
    """The smallest of all elements, as a number."""
    return _extreme_of_all(sums.smallest, np.minimum, source)


@silent
def _along(place: Callable, loop: Callable, ufunc: np.ufunc, values: np.ndarray, indices: np.ndarray,
           source: np.ndarray, dim: int) -> None:
    if values.size:
        place(widened(source), dim, indices, keepdims=indices.ndim == source.ndim)
        if not reduced_by_loop(ufunc, values, source, (dim,)):
            _extreme(loop, ufunc, values, source, (dim % max(source.ndim, 1),))


def max_along(values: np.ndarray, indices: np.ndarray, source: np.ndarray, dim: int) -> None:
    """The largest elements along a dimension, and the first place of each."""
    _along(np.ndarray.argmax, sums.largest, np.maximum, values, indices, source, dim)


def min_along(values: np.ndarray, indices: np.ndarray, source: np.ndarray, dim: int) -> None:
    """The smallest elements along a dimension, and the first place of each."""
    _along(np.ndarray.argmin, sums.smallest, np.minimum, values, indices, source, dim)


def argmax(out: np.ndarray, source: np.ndarray, dim: int) -> None:
    """The first place of the largest element along a dimension."""
    _place(np.ndarray.argmax, out, source, dim)


def argmin(out: np.ndarray, source: np.ndarray, dim: int) -> None:
    """The first place of the smallest element along a dimension."""
    _place(np.ndarray.argmin, out, source, dim)


def _place(place: Callable, out: np.ndarray, source: np.ndarray, dim: int) -> None:
    is_kept = out.ndim == source.ndim
    if not is_kept:
        at = dim % source.ndim
        out = out.reshape(source.shape[:at] + source.shape[at + 1:])
    place(widened(source), dim, out, keepdims=is_kept)
