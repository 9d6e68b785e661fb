"""Words of what is being recorded: every name and every set of inputs is stored once and known by a number.

Names of ops are declared when the op is, and stay. All other words belong to the recording that goes on: the last
window to close takes them along with the rows, one that closes earlier copies those of its own rows. So a recording
owns its words, and they go with it. A number is not given to another word while a row may hold it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable

from .plain_text import exact_text

DECLARED = 1 << 20  # numbers below are those of declared words
END = 1 << 30
FEW = 4096  # so many words are kept without asking whether rows still use them
NO_NAME = "(name not kept)"


class Generation:
    """Words that were added since a window took the ones before: all by number, and the numbers of those that may be
    given to another row."""

    __slots__ = ("values", "numbers", "retired")

    def __init__(self):
        self.values: dict[int, object] = {}
        self.numbers: dict[Hashable, int] = {}
        self.retired: frozenset[int] = frozenset()


class Words:
    """Numbers for the words of what is being recorded.

    Nothing is locked: a race between threads only stores a word twice, and both numbers are right.
    """

    def __init__(self):
        self._now = Generation()
        self._next = itertools.count(DECLARED)
        self._enough = FEW
        self.when_many: Callable[[], None] | None = None
        self.when_forgotten: list[Callable[[], None]] = []  # those who keep numbers of their own
        self.listeners: list[list] = []  # every new word is put on these, with its number

    def __len__(self) -> int:
        """How many words there are, without the declared ones."""
        return len(self._now.values)

    def number(self, word: Hashable) -> int:
        now = self._now
        number = now.numbers.get(word)
        if number is None:
            number = now.numbers[word] = self._add(now, word)
        return number

    def add(self, word: object) -> int:
        """The number of a word that is known to be new."""
        return self._add(self._now, word)

    def _add(self, now: Generation, word: object) -> int:
        if len(now.values) >= self._enough and self.when_many is not None:
            self.when_many()
        number = next(self._next)
        while number >= END or number in now.values:
            if number >= END:
                self._next = itertools.count(DECLARED)
            number = next(self._next)
        now.values[number] = word
        for listener in self.listeners:
            listener.append((number, word))
        return number

    def take(self) -> dict[int, object]:
        """All words by number, which belong to the caller now; the next words begin a new generation."""
        taken, self._now = self._now, Generation()
        self._enough = FEW
        self._tell()
        return taken.values

    def copy(self, numbers: Iterable[int] | None = None) -> dict[int, object]:
        """The words that have these numbers; all, if none are named."""
        values = self._now.values.copy()
        return values if numbers is None else {n: values[n] for n in numbers if n in values}

    def forget(self, used: set[int], more: int) -> dict[int, object]:
        """Give no word that rows do not use to anybody again and, if it was so before, forget it: what was forgotten.

        The time in between is for threads that were given a number and have not written their row yet. So many ``more``
        words may come before anybody asks again.
        """
        now = self._now
        known = set(now.numbers.values())
        forgotten = {n: now.values.pop(n, None) for n in now.retired if n not in used and n not in known}
        now.retired = frozenset(n for n in list(now.values) if n not in used)
        for word, number in list(now.numbers.items()):
            if number not in used:
                now.numbers.pop(word, None)
        self._enough = len(now.values) + max(FEW, more)
        self._tell()
        return forgotten

    def allow(self, many: int) -> None:
        """Ask again when there are so many words."""
        self._enough = max(FEW, many)

    def _tell(self) -> None:
        for forget in self.when_forgotten:
            forget()


class Names(Words):
    """Names of rows. Those of ops are declared, and have an overload."""

    def __init__(self):
        super().__init__()
        self.declared: list[tuple[str, str]] = [(NO_NAME, "")]
        self._places: dict[tuple[str, str], int] = {}

    def declare(self, name: str, overload: str = "") -> int:
        """The number of a name that stays; there are about as many as there are ops."""
        place = self._places.get((name, overload))
        if place is None:
            self.declared.append((name, overload))
            place = self._places[name, overload] = len(self.declared) - 1
        return place

    def number(self, name: str) -> int:
        if type(name) is not str:  # another type's hash and equality are not ours to call
            name = exact_text(name)
        now = self._now
        number = now.numbers.get(name)
        if number is None:
            number = now.numbers[name] = self._add(now, name)
        return number


names = Names()
inputs = Words()
