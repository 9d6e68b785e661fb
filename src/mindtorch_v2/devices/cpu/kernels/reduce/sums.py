# cython: annotation_typing=False
"""Sums and products into arrays that keep the reduced dimensions, with size one, or lie in C order without them."""

from __future__ import annotations

import numpy as np

from ... import numpy_loops, pointwise, sums
from ...array_facts import is_compact, is_half, is_whole, is_wide, size_of, spans
from ...errstate import silent
from ...half_precision import rewrite, widened

INT64 = np.dtype(np.int64)


def sum(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """The sum over some dimensions."""
    if is_whole(source) and out.dtype is INT64 and len(dims) and last_run(dims) == 0:
        reduced(sums.whole_total, out, source, dims)
    else:
        _sum_or_product(sums.total, np.add, out, source, dims)


def prod(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """The product over some dimensions."""
    _sum_or_product(sums.product, np.multiply, out, source, dims)


def nansum(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """The sum over some dimensions, NaN counting as zero."""
    if has_loop(source) and len(dims) and last_run(dims) == 0:
        reduced(sums.number_total, out, source, dims)
        return
    if source.dtype.kind not in "iub":
        source = np.where(np.isnan(source), source.dtype.type(0), source)
    sum(out, source, dims)


def _sum_or_product(kernel, ufunc: np.ufunc, out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    if not source.ndim or not has_loop(source):
        reduced_by_numpy(ufunc, out, source, dims)
    elif is_half(source) and last_run(dims):
        _reduced_in_float32(kernel, out, source, dims)
    else:
        reduced(kernel, out, source, dims)


def _reduced_in_float32(kernel, out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """What comes of one run of dimensions is not rounded before the next."""
    wide = np.empty(out.shape, np.float32)
    reduced(kernel, wide, widened(source), dims)
    rewrite(out, wide)


@silent
def reduced_by_numpy(ufunc: np.ufunc, out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """A reduction by a function of NumPy's; of a single number it is the number."""
    if source.ndim:
        ufunc.reduce(source, dims if len(dims) < source.ndim else None, None, out, out.ndim == source.ndim)
    else:
        np.copyto(out, source)


def has_loop(source: np.ndarray) -> bool:
    """Whether the compiled loops reduce numbers of this type."""
    return is_wide(source) or is_half(source)


def reduced(kernel, out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """A compiled reduction of an array of any layout."""
    if is_compact(source) and is_compact(out):
        fold(kernel, out, source, dims)
    else:
        _reduced_in_order(kernel, out, source, dims)


def _reduced_in_order(kernel, out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """The same, with dimensions in the order of memory; of what does not fill its memory, and into such, by a copy."""
    if not is_compact(source):
        order = memory_order(source)
        if order is None:
            dense = np.empty(source.shape, source.dtype)
            pointwise.copy(dense, source)
            source = dense
        else:
            kept = out if out.ndim == source.ndim else np.expand_dims(out, dims)
            source, out = source.transpose(order), kept.transpose(order)
            dims = tuple(sorted([order.index(d) for d in dims]))
    if is_compact(out):
        fold(kernel, out, source, dims)
    else:
        dense = np.empty(out.shape, out.dtype)
        fold(kernel, dense, source, dims)
        np.copyto(out, dense)


def memory_order(array: np.ndarray) -> list[int] | None:
    """The order of dimensions in which an array fills its memory; None where it does not fill it."""
    order = sorted(range(array.ndim), key=lambda d: -array.strides[d])
    return order if array.transpose(order).flags.c_contiguous else None


def fold(kernel, out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """A kernel over every run of neighbouring dimensions, from the last one on."""
    if len(dims) == source.ndim:
        kernel(out, source, 1, size_of(source), 1)
        return
    run = spans(source, dims)
    if run is None:
        _fold_runs(kernel, out, source, dims)
    else:
        kernel(out, source, run[0], run[1], run[2])


def _fold_runs(kernel, out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    first = last_run(dims)
    outer, n, inner = spans(source, dims[first:])
    shape = [1 if d in dims[first:] else size for d, size in enumerate(source.shape)]
    part = np.empty(shape, out.dtype)
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
    if len(dims) == source.ndim:
        return numpy_loops.reduce_by_numpy_loop(ufunc, out, source, 1, size_of(source), 1)
    run = spans(source, dims)
    return run is not None and numpy_loops.reduce_by_numpy_loop(ufunc, out, source, run[0], run[1], run[2])
