# cython: annotation_typing=False
"""The largest and the smallest, and where they stand. Results keep the reduced dimensions, with
size one, or lie in C order without them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import numpy_loops, sums
from ...array_facts import is_whole, size_of
from ...half_precision import widened
from .sums import has_loop, reduced_by_loop, reduced_by_numpy

FEW = 4096  # elements that one thread is done with sooner than it could share them out


def _is_compiled(source: np.ndarray) -> bool:
    return has_loop(source) or is_whole(source)


def _extreme(loop: Callable, ufunc: np.ufunc, out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    if size_of(source) <= FEW and reduced_by_loop(ufunc, out, source, dims):
        return
    if source.ndim and _is_compiled(source) and source.dtype == out.dtype and len(dims):
        loop(out, source, dims)
    else:
        reduced_by_numpy(ufunc, out, source, dims)


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
    if _is_compiled(source) and source.size:
        _extreme(loop, ufunc, out.reshape([1] * source.ndim), source, tuple(range(source.ndim)))
        return out.item()
    return ufunc.reduce(source, axis=None).item()


def largest(source: np.ndarray):
    """The largest of all elements, as a number."""
    return _extreme_of_all(sums.largest, np.maximum, source)


def smallest(source: np.ndarray):
    """The smallest of all elements, as a number."""
    return _extreme_of_all(sums.smallest, np.minimum, source)


def _along(place: Callable, loop: Callable, ufunc: np.ufunc, values: np.ndarray, indices: np.ndarray,
           source: np.ndarray, dim: int) -> None:
    if values.size:
        _place(place, indices, source, dim)
        _extreme(loop, ufunc, values, source, (dim % source.ndim,))


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
    if out.ndim == source.ndim:
        place(widened(source), dim, out, keepdims=True)
        return
    at = dim % source.ndim
    shape = source.shape[:at] + source.shape[at + 1:]
    place(widened(source), dim, out if out.shape == shape else out.reshape(shape))
