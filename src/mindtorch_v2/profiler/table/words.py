"""The words of a table: lists that it owns, and how the numbers in recorded rows lead into them."""

from __future__ import annotations

import numpy as np

OPTIMIZER = "#"  # what the recorder writes in the place of an overload, where an optimizer stands there


def overload(word: tuple[str, str]) -> str:
    """The overload of a name, if it is an op's."""
    return "" if word[1].startswith(OPTIMIZER) else word[1]


def optimizer(word: tuple[str, str]) -> str:
    """Which optimizer it is whose steps have this name; empty where that is not known."""
    return word[1] if word[1].startswith(OPTIMIZER) else ""


class Numbering:
    """Where the words that the recorder numbered stand in a table's list.

    Numbers come in runs, of words that were added one after the other. A number without a word stands for ``missing``.
    """

    def __init__(self, numbers: np.ndarray, missing: int):
        edges = np.flatnonzero(np.diff(numbers) != 1) + 1
        self._places = np.append(0, edges) if len(numbers) else np.zeros(0, np.int64)
        self._starts = numbers[self._places]
        self._stops = np.append(numbers[edges - 1], numbers[-1:]) + 1
        self._missing = missing
        self._moved: np.ndarray | None = None

    def places(self, numbers: np.ndarray) -> np.ndarray:
        """The places of the words of these numbers."""
        if not len(self._starts):
            return np.full(len(numbers), self._missing)
        run = np.searchsorted(self._starts, numbers, side="right") - 1
        known = (run >= 0) & (numbers < self._stops[run])
        places = np.where(known, numbers - self._starts[run] + self._places[run], self._missing)
        return places if self._moved is None else np.where(places >= 0, self._moved[places], places)

    def moved(self, to: np.ndarray) -> Numbering:
        """The same for a list in which the words stand elsewhere."""
        numbering = Numbering.__new__(Numbering)
        vars(numbering).update(vars(self), _moved=to if self._moved is None else to[self._moved])
        return numbering


class ReadWhenAsked(list):
    """A list of words of which some were written down in haste: they are read when they are first looked at."""

    def __getitem__(self, place: int) -> tuple:
        word = super().__getitem__(place)
        if type(word) is not tuple:
            word = self[place] = word.read()
        return word


def merged(lists: list[list]) -> tuple[list, list[np.ndarray]]:
    """All distinct words of several lists, and for each list where its words stand among them."""
    places: dict = {}
    moved = [np.array([places.setdefault(word, len(places)) for word in words], np.int64) for words in lists]
    return list(places), moved


def chained(lists: list[ReadWhenAsked]) -> tuple[ReadWhenAsked, list[np.ndarray]]:
    """The same without looking at the words: one list behind the other."""
    firsts = np.cumsum([0] + [len(words) for words in lists])
    return (ReadWhenAsked(word for words in lists for word in list.__iter__(words)),
            [first + np.arange(len(words)) for first, words in zip(firsts, lists)])
