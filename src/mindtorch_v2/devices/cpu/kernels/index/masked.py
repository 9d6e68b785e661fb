# cython: annotation_typing=False
"""Reading and writing under a mask."""

from __future__ import annotations

import numpy as np

from ... import pointwise, selection
from ...array_facts import is_half


def masked_fill(array: np.ndarray, mask: np.ndarray, value, out: np.ndarray) -> None:
    """A number where a mask is true."""
    if out.dtype.kind in "biufc" or is_half(out):
        number = np.empty((), out.dtype)
        number[()] = value
        pointwise.where(out, mask, number, out)
    else:
        np.copyto(out, value, "unsafe", mask)


def masked_select(out: np.ndarray, source: np.ndarray, mask: np.ndarray) -> None:
    """The elements where a mask is true, as many as there are."""
    elements = selection.masked(source, mask) if source.shape == mask.shape else None
    np.copyto(out, source[mask] if elements is None else elements)


def masked_scatter(out: np.ndarray, mask: np.ndarray, source: np.ndarray) -> None:
    """One element of a source after the other where a mask is true."""
    done = selection.put_masked(out, mask, source) if mask.shape == out.shape else False
    if done is None or not done and int(np.count_nonzero(mask)) > source.size:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    if not done:
        mask = np.broadcast_to(mask, out.shape)
        out[mask] = source.reshape(-1)[:int(np.count_nonzero(mask))]


def count_along(out: np.ndarray, source: np.ndarray) -> None:
    """Running sums over all elements in C order, in which the result lies."""
    np.cumsum(source, out=out.reshape(-1))
