# cython: annotation_typing=False
"""Variances and standard deviations, accumulated in float64 as torch does on a CPU."""

from __future__ import annotations

import math

import numpy as np

from ... import numpy_loops, sums
from ...array_facts import is_compact, is_wide, spans
from ...errstate import silent
from ..create.copy import copy
from .sums import memory_order


def _measured(source: np.ndarray, dims: tuple[int, ...], shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The means over some dimensions and the sums of squared distances from them, both in the shape of the result."""
    if is_wide(source) and not is_compact(source):
        order = memory_order(source)
        if order is not None and len(dims) == source.ndim:
            source = source.transpose(order)
    run = spans(source, dims) if is_wide(source) and is_compact(source) else None
    if run is not None:
        means, apart = np.empty(shape), np.empty(shape)
        sums.spread(means, apart, source, *run)
        return means, apart
    wide = source.astype(np.complex128 if source.dtype.kind == "c" else np.float64)
    count = math.prod([source.shape[d] for d in dims])
    means = wide.sum(axis=dims, keepdims=True) / np.float64(count)
    apart = wide - means
    squares = (apart * apart.conj()).real.sum(axis=dims, keepdims=True)
    return np.reshape(means, shape), np.asarray(squares).reshape(shape)


def _spread(apart: np.ndarray, source: np.ndarray, dims: tuple[int, ...], correction, root: bool) -> np.ndarray:
    """The sum of squared distances by the number of elements less a correction, or its root; it is written over."""
    count = math.prod([source.shape[d] for d in dims])
    divisor = np.array(max(count - correction, 0), np.float64)
    if not numpy_loops.run_numpy_loop(np.divide, apart, apart, divisor):
        np.divide(apart, divisor, apart)
    if root and not numpy_loops.run_numpy_loop(np.sqrt, apart, apart):
        np.sqrt(apart, apart)
    return apart


def spread_of_all(source: np.ndarray, mean: float, correction, root: bool) -> float:
    """The variance of all elements around their mean as a number, or its root."""
    means, apart = _measured(source, tuple(range(source.ndim)), ())
    off = means.item() - mean
    around_mean = apart.item() + source.size * (off * off)
    count = max(source.size - correction, 0)
    if not count:
        return math.inf if around_mean > 0 else math.nan
    return math.sqrt(around_mean / count) if root else around_mean / count


@silent
def spread(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...], correction, root: bool) -> None:
    """The variance over some dimensions, or its root."""
    _, apart = _measured(source, dims, out.shape)
    copy(out, _spread(apart, source, dims, correction, root))


@silent
def spread_and_mean(out: np.ndarray, mean: np.ndarray, source: np.ndarray, dims: tuple[int, ...], correction,
                    root: bool) -> None:
    """The same together with the mean."""
    means, apart = _measured(source, dims, out.shape)
    copy(out, _spread(apart, source, dims, correction, root))
    copy(mean, means)
