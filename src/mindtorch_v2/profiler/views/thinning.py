"""Fewer points of a timeline for a screen: every column of pixels keeps its extremes."""

from __future__ import annotations

import numpy as np

MAX_POINTS = 4000  # more than a screen can show: columns of pixels then keep what they would show of the rest


def thinned(across: np.ndarray, sizes: np.ndarray, visible: float) -> np.ndarray:
    """Which rows to draw: all, or of every column of pixels the first, the last, the fullest and the emptiest.

    And the fullest of a category, where those would show less of it by a ``visible`` number of bytes; its fullest of
    all in any case.
    """
    if len(across) <= MAX_POINTS:
        return np.arange(len(across))
    begins = np.flatnonzero(np.diff(across.astype(np.int64), prepend=-1))
    totals = sizes.sum(axis=1)
    kept = np.unique(np.concatenate([begins, np.append(begins[1:], len(across)) - 1, _fullest(totals, begins),
                                     _fullest(-totals, begins), sizes.argmax(axis=0)]))
    kept_begins = np.searchsorted(kept, begins)
    further = []
    for of_category in sizes.T:
        most = np.maximum.reduceat(of_category, begins)
        missing = most - np.maximum.reduceat(of_category[kept], kept_begins) >= visible
        further.append(_fullest(of_category, begins)[missing])
    return np.unique(np.concatenate([kept, *further]))


def _fullest(values: np.ndarray, begins: np.ndarray) -> np.ndarray:
    """Of every stretch the row of its first greatest value."""
    lengths = np.diff(begins, append=len(values))
    greatest = np.flatnonzero(values == np.repeat(np.maximum.reduceat(values, begins), lengths))
    return greatest[np.searchsorted(greatest, begins)]
