"""Places among sorted numbers, runs of equal ones, and how often each occurs."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def places(out: Array, boundaries: Array, values: Array, right: bool) -> None:
    """Where values would be put among sorted boundaries: all in one line, or row by row of (rows, boundaries)."""
    if boundaries.ndim == 1:
        out[...] = np.searchsorted(boundaries, values, "right" if right else "left")
    else:
        for places_of_row, row, wanted in zip(out, boundaries, values):
            places_of_row[...] = np.searchsorted(row, wanted, "right" if right else "left")


def run_starts(x: Array) -> Array:
    """The places of elements that differ from the one before, the first one included."""
    flat = x.reshape(-1)
    new = np.ones(flat.size, bool)
    new[1:] = flat[1:] != flat[:-1]
    return np.flatnonzero(new)


def counts(out: Array, x: Array) -> None:
    """How often each number from zero on occurs."""
    if x.size and not 0 <= x.min() <= x.max() < out.size:
        raise ValueError(f"counts: numbers from {x.min()} to {x.max()} are not counted in {out.size}")
    out[...] = np.bincount(x.reshape(-1), minlength=out.size)


def counts_between(out: Array, edges: Array, x: Array) -> None:
    """Add to each bin between sorted edges how many numbers lie in it."""
    inside = x[(x >= edges[0]) & (x <= edges[-1])]
    places = np.minimum(np.searchsorted(edges, inside, "right") - 1, out.size - 1)
    out += np.bincount(places, minlength=out.size)
