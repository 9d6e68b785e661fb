"""Elements and slices reduced into given positions. A scalar is a line of one element."""

from __future__ import annotations

import numpy as np

from ... import selection
from ...array_facts import is_half
from ...errstate import silent
from ...half_precision import rewrite, widened
from .gather import _scattered
from .index_dim import _slices

_LOOPS = {"sum": selection.scatter_add, "mean": selection.scatter_add, "prod": selection.scatter_multiply,
          "amax": selection.scatter_larger, "amin": selection.scatter_smaller}
_EXTREMES = ("amax", "amin")
_OF_TRUTHS = ("amax", "amin", "prod")


@silent
def scatter_reduce(out: np.ndarray, places: np.ndarray, source: np.ndarray, dim: int, reduce: str) -> None:
    """Each value into its place, where there is already one; a mean is still to be divided."""
    source = source.astype(out.dtype, copy=False)
    if out.dtype.kind == "b" and reduce in _OF_TRUTHS:  # of bytes it is the same
        out, source = out.view(np.uint8), source.view(np.uint8)
    if is_half(out) and reduce in _EXTREMES:  # nothing is rounded
        wide = widened(out)
        _scattered(_LOOPS[reduce], wide, places, widened(source), dim)
        rewrite(out, wide)
    else:
        _scattered(_LOOPS[reduce], out, places, source, dim)


@silent
def reduce_slices(out: np.ndarray, places: np.ndarray, source: np.ndarray, dim: int, reduce: str) -> None:
    """The slices of a source into the named ones; a mean is still to be divided."""
    places = places.reshape(-1)
    if ((places < 0) | (places >= (out.shape[dim] if out.ndim else 1))).any():
        raise IndexError("index out of range in self")
    if is_half(out):
        wide = out.astype(np.float32)
        reduce_slices(wide, places, source.astype(np.float32), dim, reduce)
        np.copyto(out, wide, casting="unsafe")
    else:
        along = places.astype(np.int64, copy=False).reshape([-1 if d == dim else 1 for d in range(out.ndim)])
        scatter_reduce(out, np.broadcast_to(along, source.shape), source, dim, reduce)


def count_at(count: np.ndarray, places: np.ndarray) -> None:
    """One more at every place."""
    np.add.at(count, _slices(count, places.reshape(-1), 0), count.dtype.type(1))
