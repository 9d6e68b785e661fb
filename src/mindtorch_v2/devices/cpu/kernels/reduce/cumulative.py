# cython: annotation_typing=False
"""Running sums, products and logarithms of sums along a dimension."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import scans
from ...array_facts import is_compact, is_half, spans
from ...errstate import silent
from ...half_precision import rewrite, widened
from ...layout import compact
from .sums import has_loop, memory_order


def _scan(loop: Callable, ufunc: np.ufunc, out: np.ndarray, source: np.ndarray, dim: int) -> None:
    """Accumulate along a dimension; half precision accumulates in float32, or wider."""
    if source.ndim and (has_loop(source) or source.dtype.char in "lFD"):
        scanned(loop, [out], source, dim)
    else:
        _accumulated_by_numpy(ufunc, out, source, dim)


@silent
def _accumulated_by_numpy(ufunc: np.ufunc, out: np.ndarray, source: np.ndarray, dim: int) -> None:
    ufunc.accumulate(source, dim, source.dtype, out)


def scanned(loop: Callable, outs: list[np.ndarray], source: np.ndarray, dim: int, *settings) -> None:
    """A compiled loop along a dimension of an array of any layout and floating type, into arrays of its shape."""
    if not is_half(source) and is_compact(source) and all([is_compact(out) for out in outs]):
        loop(*outs, source, *spans(source, (dim % source.ndim,)), *settings)
        return
    order = memory_order(source) or list(range(source.ndim))
    wide = compact(widened(source).transpose(order))
    inner = [out.transpose(order) for out in outs]
    dense = [out if is_compact(out) and not is_half(out) else np.empty(wide.shape, _wide_type(out))
             for out in inner]
    loop(*dense, wide, *spans(wide, (order.index(dim % source.ndim),)), *settings)
    for out, values in zip(inner, dense):
        if out is not values:
            rewrite(out, values)


def _wide_type(out: np.ndarray) -> np.dtype:
    return np.dtype(np.float32) if is_half(out) else out.dtype


def cumsum(out: np.ndarray, source: np.ndarray, dim: int) -> None:
    """Running sums; both arrays are of one type."""
    _scan(scans.running_total, np.add, out, source, dim)


def cumprod(out: np.ndarray, source: np.ndarray, dim: int) -> None:
    """Running products; both arrays are of one type."""
    _scan(scans.running_product, np.multiply, out, source, dim)


@silent
def logcumsumexp(out: np.ndarray, source: np.ndarray, dim: int) -> None:
    """Running logarithms of sums of exponentials."""
    if is_half(source):
        source = source.astype(np.float32)
    sums = _log_sums(source, dim) if source.dtype.kind == "c" else np.logaddexp.accumulate(source, dim)
    np.copyto(out, sums, casting="unsafe")


def _log_sums(source: np.ndarray, dim: int) -> np.ndarray:
    """Complex ones relative to the largest real part so far, so that no exponential overflows."""
    slices = np.moveaxis(source, dim, 0)
    sums = np.empty_like(slices)
    sums[:1] = slices[:1]
    for k in range(1, len(slices)):
        before, value = sums[k - 1], slices[k]
        larger = np.where(before.real >= value.real, before, value)
        smaller = np.where(before.real >= value.real, value, before)
        sums[k] = larger + np.log1p(np.exp(smaller - larger))
    return np.moveaxis(sums, 0, dim)
