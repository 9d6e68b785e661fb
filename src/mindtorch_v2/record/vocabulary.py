"""The words of one recording: nobody adds to them, and they go with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np


class Vocabulary:
    """Words by the numbers that rows hold.

    Names are pairs of what is shown and, for the declared names of ops, the overload; inputs are tuples.
    """

    def __init__(self, words: dict[int, object], declared: Sequence[tuple[str, str]] = (),
                 on_disk: Callable[[], dict[int, object]] | None = None):
        self._words, self._declared, self._on_disk = words, declared, on_disk

    def __getitem__(self, number: int) -> tuple:
        """The word of a number; for a number without one, the first of the declared words."""
        if 0 <= number < len(self._declared):
            return self._declared[number]
        word = self._all().get(number)
        if word is None:
            return self._declared[0] if self._declared else ()
        return shown(word)

    def _all(self) -> dict[int, object]:
        if self._on_disk is not None:
            self._words, self._on_disk = self._on_disk() | self._words, None
        return self._words

    def listed(self) -> tuple[np.ndarray, list]:
        """All numbers in their order, and the word of each, as it was written down."""
        words = sorted(self._all().copy().items(), key=lambda item: item[0])
        numbers = np.array([*range(len(self._declared)), *(number for number, _ in words)], np.int64)
        return numbers[:len(self._declared) + len(words)], [*self._declared, *(word for _, word in words)]


def shown(word) -> tuple:
    """A word as a table shows it: names of ranges and functions have no overload, inputs may still have to be read."""
    return word if type(word) is tuple else (word, "") if type(word) is str else word.read()
