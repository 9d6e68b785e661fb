"""Rows of a fixed layout that never take more than a given place: beyond it the newest stay, or the first."""

from __future__ import annotations

import numpy as np

FEWEST = 64  # rows that there is room for at the beginning


class BoundedRows:
    """At most ``most`` rows; how many there was no room for is counted."""

    def __init__(self, layout: np.dtype, most: int, keeps_newest: bool):
        self.most, self._keeps_newest = most, keeps_newest
        self._rows = np.zeros(min(FEWEST, most), layout)
        self._n = 0  # rows that were kept when they came

    @property
    def dropped(self) -> int:
        return self._refused + max(0, self._n - self.most)

    _refused = 0

    def append(self, row: tuple) -> None:
        """Keep a row, in the place of the oldest if there is no other."""
        if self._n >= self.most and not self._keeps_newest:
            self._refused += 1
            return
        if self._n == len(self._rows) < self.most:
            wider = np.zeros(min(2 * self._n, self.most), self._rows.dtype)
            wider[:self._n] = self._rows
            self._rows = wider
        self._rows[self._n % self.most] = row
        self._n += 1

    def copy(self) -> np.ndarray:
        """The rows in the order in which they came."""
        return np.roll(self._rows, -(self._n % self.most)) if self._n > self.most else self._rows[:self._n].copy()

    def renumber(self, field: str, place: np.ndarray) -> None:
        """Replace the numbers in a field by others."""
        self._rows[field] = place[self._rows[field]]

    def numbers(self, field: str) -> np.ndarray:
        """The distinct numbers in a field."""
        return np.unique(self._rows[field][:min(self._n, self.most)])
