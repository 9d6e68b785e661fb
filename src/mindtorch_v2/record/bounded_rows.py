"""Rows of a fixed layout that never take more than a given place: beyond it the newest stay, or the first."""

from __future__ import annotations

import numpy as np

FEWEST = 64  # rows that there is room for at the beginning


class BoundedRows:
    """At most ``most`` rows, numbered as they come; how many there was no room for is counted.

    Those from number ``first`` on, up to ``stop``, are held. A row lies at its number modulo the length of the buffer.
    """

    def __init__(self, layout: np.dtype, most: int, keeps_newest: bool):
        self.most, self._keeps_newest = most, keeps_newest
        self._rows = np.zeros(min(FEWEST, most), layout)
        self.first = self.stop = self.dropped = 0

    def __len__(self) -> int:
        return self.stop - self.first

    def append(self, row: tuple) -> None:
        """Keep a row, in the place of the oldest if there is no other."""
        held = self.stop - self.first
        if held == self.most:
            self.dropped += 1
            if not self._keeps_newest:
                return
            self.first += 1
        elif held == len(self._rows):
            self._widen()
        self._rows[self.stop % len(self._rows)] = row
        self.stop += 1

    def _widen(self) -> None:
        wider = np.zeros(min(2 * len(self._rows), self.most), self._rows.dtype)
        wider[np.arange(self.first, self.stop) % len(wider)] = self.copy()
        self._rows = wider

    def copy(self, first: int = 0) -> np.ndarray:
        """The rows from a number on, in the order in which they came."""
        return self._rows[np.arange(max(first, self.first), self.stop) % len(self._rows)]

    def let_go(self, stop: int) -> None:
        """Hold the rows up to a number no more: they are kept elsewhere."""
        self.first = max(self.first, stop)

    def renumber(self, field: str, place: np.ndarray) -> None:
        """Replace the numbers in a field by others."""
        held = np.arange(self.first, self.stop) % len(self._rows)
        self._rows[field][held] = place[self._rows[field][held]]

    def numbers(self, field: str) -> np.ndarray:
        """The distinct numbers in a field."""
        return np.unique(self.copy()[field])
