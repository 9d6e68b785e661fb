"""How many points fall into each bin, or the sum of their weights."""

from __future__ import annotations

import numpy as np

from ... import searching
from ...half_precision import widened
from ...layout import compact


def histogram_in_edges(out: np.ndarray, points: np.ndarray, edges: list[np.ndarray],
                       weights: np.ndarray | None) -> None:
    """Points by their coordinates; a bin holds its lower edge, the last one its upper edge too."""
    shape = out.shape[1:]
    if not out.size or not points.size:
        return
    if len(edges) == 1 and weights is None:
        line = compact(widened(edges[0]))
        values = compact(widened(points).reshape(-1))
        if line.dtype == values.dtype:
            counts = np.zeros(out[0].size, np.int64)
            searching.counts_between(counts, line, values)
            np.copyto(out[0], counts.reshape(shape), casting="unsafe")
            return
    place, inside = np.zeros(len(points), np.int64), np.ones(len(points), bool)
    for values, line, count in zip(widened(points).T, edges, shape):
        line, values = compact(widened(line)), np.ascontiguousarray(values)
        number = np.empty(len(values), np.int64)
        searching.places(number, line, values, True)
        number -= 1
        number[values == line[-1]] = count - 1
        inside &= (number >= 0) & (number < count) & ~np.isnan(values)
        place = place * count + number
    weights = None if weights is None else widened(weights)[inside]
    counted = np.bincount(place[inside], weights, out[0].size)
    np.copyto(out[0], counted.reshape(shape), casting="unsafe")
