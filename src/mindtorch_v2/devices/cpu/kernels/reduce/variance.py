# cython: annotation_typing=False
"""Variances and standard deviations, accumulated in float64 as torch does on a CPU."""

from __future__ import annotations

import numpy as np

from ...errstate import silent


def _wide(source: np.ndarray) -> np.ndarray:
    return source.astype(np.complex128 if source.dtype.kind == "c" else np.float64)


def _spread(wide: np.ndarray, mean, dims: tuple[int, ...], correction, root: bool) -> np.ndarray:
    """The sum of squared distances from a mean by the number of elements less a correction, or its root."""
    n = 1
    for d in dims:
        n *= wide.shape[d]
    apart = wide - mean
    squares = (apart * apart.conj()).real if np.iscomplexobj(apart) else apart * apart
    variance = squares.sum(axis=dims, keepdims=True) / np.float64(max(n - correction, 0))
    return np.sqrt(variance) if root else variance


@silent
def spread_of_all(source: np.ndarray, mean: float, correction, root: bool) -> float:
    """The variance of all elements around their mean as a number, or its root."""
    return _spread(_wide(source), mean, tuple(range(source.ndim)), correction, root).item()


@silent
def spread(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...], correction, root: bool) -> None:
    """The variance over some dimensions, which the result keeps, or its root."""
    wide = _wide(source)
    measured = _spread(wide, wide.mean(axis=dims, keepdims=True), dims, correction, root)
    np.copyto(out, measured, casting="unsafe")


@silent
def spread_and_mean(out: np.ndarray, mean: np.ndarray, source: np.ndarray, dims: tuple[int, ...], correction,
                    root: bool) -> None:
    """The same together with the mean."""
    wide = _wide(source)
    count = 1
    for d in dims:
        count *= source.shape[d]
    middle = wide.sum(axis=dims, keepdims=True) / np.float64(count)
    np.copyto(out, _spread(wide, middle, dims, correction, root), casting="unsafe")
    np.copyto(mean, middle, casting="unsafe")
