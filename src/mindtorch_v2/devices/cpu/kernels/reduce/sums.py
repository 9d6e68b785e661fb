# cython: annotation_typing=False
"""Sums and products into arrays that keep the reduced dimensions, with size one."""

from __future__ import annotations

from math import prod as product_of

import numpy as np

from ... import sums
from ...errstate import silent
from ...half_precision import is_half

COMPILED = {np.dtype(np.float32), np.dtype(np.float64)}  # the types of the compiled loops
_total = sums.total


def sum(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """The sum over some dimensions."""
    if source.dtype not in COMPILED or not source.flags.c_contiguous or not out.flags.c_contiguous:
        _reduce(np.add, out, source, dims)
    elif len(dims) == source.ndim:
        _total(out, source, 1, source.size, 1)
    elif _is_run(dims):
        shape, first, last = source.shape, dims[0], dims[-1] + 1
        _total(out, source, product_of(shape[:first]), product_of(shape[first:last]), product_of(shape[last:]))
    else:
        _reduce(np.add, out, source, dims)


def _is_run(dims: tuple[int, ...]) -> bool:
    """Whether dimensions follow each other, so that they lie in memory as one."""
    if len(dims) < 2:
        return True
    for before, dim in zip(dims, dims[1:]):
        if dim != before + 1:
            return False
    return True


def nansum(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """The sum over some dimensions, NaN counting as zero."""
    if source.dtype.kind not in "iub":
        source = np.where(np.isnan(source), source.dtype.type(0), source)
    sum(out, source, dims)


def prod(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """The product over some dimensions."""
    _reduce(np.multiply, out, source, dims)


@silent
def _reduce(ufunc: np.ufunc, out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """NumPy's reduction; half precision accumulates in float32."""
    if not source.ndim:
        np.copyto(out, source)
    elif is_half(source):
        np.copyto(out, ufunc.reduce(source, axis=dims, dtype=np.float32, keepdims=True), casting="unsafe")
    else:
        ufunc.reduce(source, dims if len(dims) < source.ndim else None, None, out, True)
