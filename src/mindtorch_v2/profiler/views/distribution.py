"""How numbers are spread: least, median, 95th percentile, greatest. Each is one of the numbers: nearest rank."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

MOSTLY = 0.95


class Spread(NamedTuple):
    """Of some numbers: how many there are, their sum, and those at four places of their order."""

    count: int
    total: int
    least: int
    median: int
    p95: int
    greatest: int


NOTHING = Spread(0, 0, 0, 0, 0, 0)


def spread(values: np.ndarray) -> Spread:
    """The spread of some numbers."""
    return spreads(values, np.zeros(len(values), np.int64), 1)[0]


def spreads(values: np.ndarray, group: np.ndarray, n_groups: int) -> list[Spread]:
    """The spread of the numbers of each group."""
    order = np.lexsort((values, group))
    ordered, count = values[order], np.bincount(group, minlength=n_groups)
    first = np.cumsum(count) - count
    total = np.zeros(n_groups, np.int64)
    np.add.at(total, group, values)
    ranks = [np.zeros(n_groups, np.int64), *(np.maximum(np.ceil(share * count).astype(np.int64) - 1, 0)
                                             for share in (1 / 2, MOSTLY)), np.maximum(count - 1, 0)]
    places = [np.where(count > 0, first + rank, 0) for rank in ranks]
    cells = [np.where(count > 0, ordered[place], 0) if len(ordered) else np.zeros(n_groups, np.int64)
             for place in places]
    return [Spread(*row) for row in np.stack([count, total, *cells], axis=1).tolist()]
