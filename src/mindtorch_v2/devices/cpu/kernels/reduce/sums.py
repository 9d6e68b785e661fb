# cython: annotation_typing=False
"""Sums and products into arrays that keep the reduced dimensions, with size one, or lie in C order without them."""

from __future__ import annotations

import numpy as np

from ... import numpy_loops, sums
from ...array_facts import is_half, is_whole, is_wide, size_of, spans
from ...errstate import silent

INT64 = np.dtype(np.int64)


def sum(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """The sum over some dimensions."""
    _sum_or_product(sums.total, np.add, is_whole(source), out, source, dims)


def prod(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """The product over some dimensions."""
    _sum_or_product(sums.product, np.multiply, source.dtype is INT64, out, source, dims)


def nansum(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """The sum over some dimensions, NaN counting as zero."""
    if has_loop(source):
        sums.number_total(out, source, dims)
        return
    if source.dtype.kind not in "iub":
        source = np.where(np.isnan(source), source.dtype.type(0), source)
    sum(out, source, dims)


def _sum_or_product(kernel, ufunc: np.ufunc, in_int64: bool, out: np.ndarray, source: np.ndarray,
                    dims: tuple[int, ...]) -> None:
    is_complex = source.dtype.char in "FD" and out.dtype is source.dtype
    if source.ndim and (has_loop(source) or is_complex or in_int64 and out.dtype is INT64):
        kernel(out, source, dims)
    else:
        reduced_by_numpy(ufunc, out, source, dims)


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


def memory_order(array: np.ndarray) -> list[int] | None:
    """The order of dimensions in which an array fills its memory; None where it does not fill it."""
    order = sorted(range(array.ndim), key=lambda d: -array.strides[d])
    return order if array.transpose(order).flags.c_contiguous else None


def reduced_by_loop(ufunc: np.ufunc, out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> bool:
    """Reduce a few numbers over one run of dimensions by NumPy's own loop; False where NumPy has to be called."""
    if len(dims) == source.ndim:
        return numpy_loops.reduce_by_numpy_loop(ufunc, out, source, 1, size_of(source), 1)
    run = spans(source, dims)
    return run is not None and numpy_loops.reduce_by_numpy_loop(ufunc, out, source, run[0], run[1], run[2])
