# cython: annotation_typing=False
"""The largest and the smallest, and where they stand. Results keep the reduced dimensions, with
size one, or lie in C order without them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import numpy_loops, places, sums
from ...array_facts import is_compact, is_whole, size_of, spans
from ...half_precision import widened
from .sums import has_loop, reduced_by_loop, reduced_by_numpy

SHORT = 48  # elements of a row in which NumPy does not find the place sooner
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


def _along(is_smallest: bool, loop: Callable, ufunc: np.ufunc, values: np.ndarray, indices: np.ndarray,
           source: np.ndarray, dim: int) -> None:
    if values.size:
        _place(is_smallest, indices, source, dim)
        _extreme(loop, ufunc, values, source, (dim % source.ndim,))


def max_along(values: np.ndarray, indices: np.ndarray, source: np.ndarray, dim: int) -> None:
    """The largest elements along a dimension, and the first place of each."""
    _along(False, sums.largest, np.maximum, values, indices, source, dim)


def min_along(values: np.ndarray, indices: np.ndarray, source: np.ndarray, dim: int) -> None:
    """The smallest elements along a dimension, and the first place of each."""
    _along(True, sums.smallest, np.minimum, values, indices, source, dim)


def argmax(out: np.ndarray, source: np.ndarray, dim: int) -> None:
    """The first place of the largest element along a dimension."""
    _place(False, out, source, dim)


def argmin(out: np.ndarray, source: np.ndarray, dim: int) -> None:
    """The first place of the smallest element along a dimension."""
    _place(True, out, source, dim)


def _place(is_smallest: bool, out: np.ndarray, source: np.ndarray, dim: int) -> None:
    at, plain = dim % source.ndim, widened(source)
    run = spans(plain, (at,)) if is_compact(plain) and is_compact(out) and _is_compiled(plain) else None
    if run is not None and (run[2] > 1 or run[1] <= SHORT):
        places.place_of_extreme(out, plain, run[0], run[1], run[2], is_smallest)
        return
    place = np.ndarray.argmin if is_smallest else np.ndarray.argmax
    if out.ndim == source.ndim:
        place(plain, dim, out, keepdims=True)
        return
    shape = source.shape[:at] + source.shape[at + 1:]
    place(plain, dim, out if out.shape == shape else out.reshape(shape))
