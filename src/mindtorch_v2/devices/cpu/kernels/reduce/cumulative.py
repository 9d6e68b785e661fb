# cython: annotation_typing=False
"""Running sums, products and logarithms of sums along a dimension."""

from __future__ import annotations

import numpy as np

from ... import sums
from ...array_facts import is_compact, is_wide, spans
from ...errstate import silent
from ...half_precision import is_half


@silent
def _scan(ufunc: np.ufunc, out: np.ndarray, source: np.ndarray, dim: int) -> None:
    """Accumulate along a dimension; half precision accumulates in float32."""
    if is_half(source):
        np.copyto(out, ufunc.accumulate(source.astype(np.float32), dim), casting="unsafe")
    else:
        ufunc.accumulate(source, dim, source.dtype, out)


def cumsum(out: np.ndarray, source: np.ndarray, dim: int) -> None:
    """Running sums; both arrays are of one type."""
    if is_wide(source) and source.ndim and is_compact(source) and is_compact(out):
        sums.running_total(out, source, *spans(source, (dim % source.ndim,)))
    else:
        _scan(np.add, out, source, dim)


def cumprod(out: np.ndarray, source: np.ndarray, dim: int) -> None:
    """Running products; both arrays are of one type."""
    _scan(np.multiply, out, source, dim)


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
