# cython: annotation_typing=False
"""Sums and products into arrays that keep the reduced dimensions, with size one, or lie in C order without them."""

from __future__ import annotations

import math

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
    if source.ndim and (has_loop(source) or in_int64 and out.dtype is INT64):
        kernel(out, source, dims)
    elif source.ndim and kernel is sums.total and source.dtype.char in "FD" and out.dtype is source.dtype:
        _sum_parts(kernel, out, source, dims)
    elif source.ndim and kernel is sums.product and source.dtype.char in "FD" and out.dtype is source.dtype:
        _multiply_in_pairs(out, source, dims)
    else:
        reduced_by_numpy(ufunc, out, source, dims)


@silent
def _multiply_in_pairs(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """The product of complex numbers by halves, which NumPy multiplies faster than one after the other."""
    kept = [source.shape[d] for d in range(source.ndim) if d not in dims]
    count = math.prod([source.shape[d] for d in dims])
    lines = np.moveaxis(source, dims, range(len(dims))).reshape(count, *kept)
    if not count:
        lines = np.ones((1, *kept), source.dtype)
    while len(lines) > 1:
        half = len(lines) // 2
        joined = lines[:half] * lines[half:2 * half]
        if len(lines) % 2:
            joined[0] *= lines[-1]
        lines = joined
    np.copyto(out, lines[0].reshape(out.shape))


def _sum_parts(kernel, out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """The sums of real and imaginary parts: one after the other within rows, else side by side as columns."""
    if source.ndim - 1 in dims and len(dims) < source.ndim:
        kernel(out.real, source.real, dims)
        kernel(out.imag, source.imag, dims)
    else:
        kernel(_parts(out), _parts(source), dims)


def _parts(array: np.ndarray) -> np.ndarray:
    """The two parts of complex numbers along a dimension behind the others."""
    return array[..., None].view(array.real.dtype)


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
