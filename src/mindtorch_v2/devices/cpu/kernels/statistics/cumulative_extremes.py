"""Running maxima and minima along a dimension, and the last place of each."""

from __future__ import annotations

import numpy as np

from ... import scans
from ...errstate import silent
from ...half_precision import widened
from ..reduce.cumulative import scanned
from ..reduce.sums import has_loop


@silent
def _running(ufunc: np.ufunc, values: np.ndarray, indices: np.ndarray, source: np.ndarray, dim: int) -> None:
    if source.ndim and (has_loop(source) or source.dtype.char in "?Bbhil"):
        scanned(scans.running_extreme, [values, indices], source, dim, ufunc is np.minimum)
        return
    plain = widened(source)
    extremes = ufunc.accumulate(plain, dim)
    is_new = (plain == extremes) | (plain != plain)  # a NaN is the extreme from there on
    shape = [1] * plain.ndim
    shape[dim] = -1
    places = np.where(is_new, np.arange(plain.shape[dim]).reshape(shape), 0)
    np.maximum.accumulate(places, dim, out=indices)
    np.copyto(values, extremes, casting="unsafe")


def cummax(values: np.ndarray, indices: np.ndarray, source: np.ndarray, dim: int) -> None:
    """The largest elements so far; of equal ones the last."""
    _running(np.maximum, values, indices, source, dim)


def cummin(values: np.ndarray, indices: np.ndarray, source: np.ndarray, dim: int) -> None:
    """The smallest elements so far; of equal ones the last."""
    _running(np.minimum, values, indices, source, dim)
