# cython: annotation_typing=False
"""Sums and products into arrays that keep the reduced dimensions, with size one, or lie in C order without them."""

from __future__ import annotations

import numpy as np

from ... import numpy_loops, sums
from ...array_facts import is_compact, is_wide, spans
from ...errstate import silent
from ...half_precision import is_half, widened

INT64 = np.dtype(np.int64)


def sum(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """The sum over some dimensions."""
    if source.dtype is INT64 and out.dtype is INT64 and len(dims) == source.ndim and is_compact(source):
        sums.whole_total(out, source)
    elif not is_wide(source) or not is_compact(source) or not is_compact(out):
        _reduce(np.add, out, source, dims)
    else:
        fold(sums.total, out, source, dims)


def prod(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """The product over some dimensions."""
    if not is_wide(source) or not is_compact(source) or not is_compact(out):
        _reduce(np.multiply, out, source, dims)
    else:
        fold(sums.product, out, source, dims)


def fold(kernel, out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """A kernel over every run of neighbouring dimensions, from the last one on."""
    run = (1, source.size, 1) if len(dims) == source.ndim else spans(source, dims)
    if run is not None:
        kernel(out, source, *run)
        return
    first = last_run(dims)
    outer, n, inner = spans(source, dims[first:])
    shape = [1 if d in dims[first:] else size for d, size in enumerate(source.shape)]
    part = np.empty(shape, source.dtype)
    kernel(part, source, outer, n, inner)
    fold(kernel, out, part, dims[:first])


def last_run(dims: tuple[int, ...]) -> int:
    """Where the last run of neighbouring dimensions begins, which lie in memory as one."""
    first = len(dims) - 1
    while first > 0 and dims[first - 1] == dims[first] - 1:
        first -= 1
    return first


def reduced_by_loop(ufunc: np.ufunc, out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> bool:
    """Reduce a few numbers over one run of dimensions by NumPy's own loop; False where NumPy has to be called."""
    run = spans(source, dims)
    return run is not None and numpy_loops.reduce_by_numpy_loop(ufunc, out, source, *run)


def nansum(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """The sum over some dimensions, NaN counting as zero."""
    if source.dtype.kind not in "iub":
        source = np.where(np.isnan(source), source.dtype.type(0), source)
    sum(out, source, dims)


@silent
def _reduce(ufunc: np.ufunc, out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """NumPy's reduction; half precision accumulates in float32."""
    if not source.ndim:
        np.copyto(out, source)
    elif is_half(source):
        wide = np.empty(out.shape, np.float32)
        fold(sums.total if ufunc is np.add else sums.product, wide, np.ascontiguousarray(widened(source)), dims)
        np.copyto(out, wide, casting="unsafe")
    else:
        ufunc.reduce(source, dims if len(dims) < source.ndim else None, None, out, out.ndim == source.ndim)
