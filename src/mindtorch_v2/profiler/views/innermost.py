"""The innermost frames of stacks: which stacks agree in them, found without writing any of them out."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..table.event_table import EventTable
from .visible_events import frames


class Innermost:
    """Up to ``most`` frames of every stack of a profile, each given as (stack below, name)."""

    def __init__(self, table: EventTable, stacks: list[tuple[int, int]], most: int):
        self._table, self._stacks = table, stacks
        self._most = min(most, len(stacks))

    def __deepcopy__(self, memo: dict) -> Innermost:
        return self  # never written to

    def frames(self, stack: int) -> list[str]:
        """The frames of one stack, the innermost first."""
        return frames(self._table, self._stacks, stack, self._most)

    def numbers(self) -> np.ndarray:
        """A number for every stack: the same for those whose frames are the same.

        Runs of 1, 2, 4 … frames are numbered from those half as long, and put together to as many as are wanted.
        """
        below, run = np.array(self._stacks, np.int64).T.copy()
        below[0] = 0  # outside the outermost frame there is nothing, again and again
        numbers, at, left = np.zeros(len(run), np.int64), np.arange(len(run)), self._most
        while left > 0:
            if left & 1:
                numbers, at = _pairs(numbers, run[at]), below[at]
            left >>= 1
            run, below = _pairs(run, run[below]), below[below]
        return numbers

    def words_of(self, stacks: Iterable[int]) -> set[str]:
        """Every frame that one of these stacks shows; what stacks share is looked at once."""
        wanted = [0] * len(self._stacks)  # how many frames are shown from here on outwards
        for stack in stacks:
            wanted[stack] = self._most
        names = set()
        for number in range(len(wanted) - 1, 0, -1):  # a stack comes after the one below it
            if wanted[number]:
                below, name = self._stacks[number]
                wanted[below] = max(wanted[below], wanted[number] - 1)
                names.add(name)
        return {self._table.names[name][0] for name in names}


def _pairs(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """A number for every pair, the same for equal pairs."""
    second = second - second.min()
    return np.unique(first * (second.max() + 1) + second, return_inverse=True)[1].ravel()
