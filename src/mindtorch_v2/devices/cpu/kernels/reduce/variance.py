# cython: annotation_typing=False
"""Variances and standard deviations, accumulated in float64 as torch does on a CPU."""

from __future__ import annotations

import math

import numpy as np

from ... import sums
from ...errstate import silent
from .sums import COMPILED, folded, last_run


def _measured(source: np.ndarray, dims: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The means over some dimensions, which stay, and the sums of squared distances from them."""
    shape = [1 if d in dims else size for d, size in enumerate(source.shape)]
    if source.dtype in COMPILED and source.flags.c_contiguous and dims and last_run(dims) == 0:
        means, apart = np.empty(shape), np.empty(shape)
        sums.spread(means, apart, source, *folded(source.shape, dims))
        return means, apart
    wide = source.astype(np.complex128 if source.dtype.kind == "c" else np.float64)
    count = math.prod([source.shape[d] for d in dims])
    means = wide.sum(axis=dims, keepdims=True) / np.float64(count)
    apart = wide - means
    return means, (apart * apart.conj()).real.sum(axis=dims, keepdims=True)


def _spread(apart, source: np.ndarray, dims: tuple[int, ...], correction, root: bool):
    """The sum of squared distances by the number of elements less a correction, or its root."""
    count = math.prod([source.shape[d] for d in dims])
    variance = apart / np.float64(max(count - correction, 0))
    return np.sqrt(variance) if root else variance


def spread_of_all(source: np.ndarray, mean: float, correction, root: bool) -> float:
    """The variance of all elements around their mean as a number, or its root."""
    means, apart = _measured(source, tuple(range(source.ndim)))
    off = means.item() - mean
    around_mean = apart.item() + source.size * (off * off)
    count = max(source.size - correction, 0)
    if not count:
        return math.inf if around_mean > 0 else math.nan
    return math.sqrt(around_mean / count) if root else around_mean / count


@silent
def spread(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...], correction, root: bool) -> None:
    """The variance over some dimensions, which the result keeps, or its root."""
    _, apart = _measured(source, dims)
    np.copyto(out, _spread(apart, source, dims, correction, root), casting="unsafe")


@silent
def spread_and_mean(out: np.ndarray, mean: np.ndarray, source: np.ndarray, dims: tuple[int, ...], correction,
                    root: bool) -> None:
    """The same together with the mean."""
    means, apart = _measured(source, dims)
    np.copyto(out, _spread(apart, source, dims, correction, root), casting="unsafe")
    np.copyto(mean, means, casting="unsafe")
