"""Reductions of segments of a dimension that follow one another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...errstate import silent
from ...half_precision import widened

_START = {"sum": 0.0, "mean": 0.0, "prod": 1.0, "max": -np.inf, "min": np.inf}
_UFUNC = {"sum": np.add, "mean": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum}


def _segments(lengths: np.ndarray | None, offsets: np.ndarray | None, axis: int) -> Iterator[tuple]:
    """For each segment the index of its lines, its number, and where it begins and ends."""
    if offsets is None:
        ends = np.cumsum(lengths, axis=-1)
        starts = ends - lengths
    else:
        starts, ends = offsets[..., :-1], offsets[..., 1:]
    for place in np.ndindex(starts.shape):
        yield place[:axis], place[-1], starts[place], ends[place]


@silent
def segment_reduce(out: np.ndarray, data: np.ndarray, reduce: str, lengths: np.ndarray | None,
                   offsets: np.ndarray | None, axis: int, initial: float | None) -> None:
    """One result for each segment; ``initial`` takes part as if it were one more element."""
    plain, ufunc = widened(data), _UFUNC[reduce]
    first = _START[reduce] if initial is None else initial
    for lines, number, start, end in _segments(lengths, offsets, axis):
        part = plain[(*lines, slice(start, end))]
        value = ufunc.reduce(part, axis=0, initial=first)
        if reduce == "mean":
            if len(part):
                value = value / len(part)
            elif initial is None:
                value = np.nan
        out[(*lines, number)] = value


@silent
def segment_reduce_backward(out: np.ndarray, grad: np.ndarray, output: np.ndarray, data: np.ndarray, reduce: str,
                            lengths: np.ndarray | None, offsets: np.ndarray | None, axis: int,
                            initial: float | None) -> None:
    """What each element of a segment gets; equal extremes share."""
    plain, results, slopes = widened(data), widened(output), widened(grad)
    for lines, number, start, end in _segments(lengths, offsets, axis):
        place, part = (*lines, slice(start, end)), plain[(*lines, slice(start, end))]
        slope, result = slopes[(*lines, number)], results[(*lines, number)]
        if reduce == "prod":
            out[place] = slope * _others(part, 1.0 if initial is None else initial)
        elif reduce in ("max", "min"):
            chosen = (part == result) | np.isnan(part)
            out[place] = np.where(chosen, slope / np.maximum(chosen.sum(axis=0), 1), 0)
        else:
            out[place] = slope / len(part) if reduce == "mean" else slope


def _others(part: np.ndarray, first: float) -> np.ndarray:
    """The product of all other elements, for each element."""
    products = np.empty_like(part)
    for i in range(len(part)):
        products[i] = np.multiply.reduce(np.delete(part, i, axis=0), axis=0, initial=first)
    return products
