"""Bytes alive by category after every microsecond in which memory changed: what torch writes into files and draws."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .changes import Changes
from .keys import CATEGORY_TO_INDEX
from .rules import NO_CATEGORY

# torch's tables of sizes begin with a column of zeros: the floor of its drawing.
FLOOR = 1
WIDTH = FLOOR + len(CATEGORY_TO_INDEX)
BLOCK = 1 << 11  # times that are looked at together
# The place of each category in torch's files, by its number.
PLACES = np.empty(len(CATEGORY_TO_INDEX), np.int8)
for _category, _place in CATEGORY_TO_INDEX.items():
    PLACES[NO_CATEGORY if _category is None else _category.value] = _place


class Coalesced:
    """The times, in microseconds; and the sizes after each, a block at a time or all at once."""

    def __init__(self, changes: Changes):
        self._changes = changes
        time_us = microseconds(changes.time_ns)
        self._ends = np.flatnonzero(np.diff(time_us, append=-1)) + 1 if len(time_us) else time_us
        self.times_us = time_us[self._ends - 1]
        if len(self.times_us) > 1 and self.times_us[0] == 0:
            self.times_us[0] = self.times_us[1]  # what was there before stands at the first change

    def blocks(self) -> Iterator[np.ndarray]:
        """Sizes, a column per category in torch's order behind the floor, of some times after the other."""
        begin, alive = 0, np.zeros(WIDTH, np.int64)
        for first in range(0, len(self._ends), BLOCK):
            ends = self._ends[first:first + BLOCK]
            change = self._changes.change[begin:ends[-1]]
            place = FLOOR + PLACES[self._changes.category[begin:ends[-1]]]
            by_time = np.zeros((len(ends), WIDTH), np.int64)
            row = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=begin))
            np.add.at(by_time, (row, place), change)
            by_time[0] += alive
            np.cumsum(by_time, axis=0, out=by_time)
            begin, alive = ends[-1], by_time[-1].copy()
            yield by_time

    def sizes(self) -> np.ndarray:
        """All of them."""
        whole = np.empty((len(self._ends), WIDTH), np.int64)
        for number, block in enumerate(self.blocks()):
            whole[number * BLOCK:number * BLOCK + len(block)] = block
        return whole


def microseconds(time_ns: np.ndarray) -> np.ndarray:
    """``int(time_ns / 1000)`` as Python divides: rounded to what a float can hold, then cut off."""
    whole, rest = np.divmod(time_ns, 1000)
    return (whole + rest / 1000).astype(np.int64)
