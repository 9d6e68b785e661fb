"""Interned words: every name and every set of inputs is stored once and known by a number."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable

from .locks import new_lock


class Interned:
    """A table that gives each distinct value a small number, for ever."""

    def __init__(self):
        self.values: list = []
        self._numbers: dict[Hashable, int] = {}
        self._adding = new_lock()

    def number(self, value: Hashable) -> int:
        found = self._numbers.get(value)
        if found is None:
            # A lost race between threads only stores a value twice; both numbers stay valid.
            found = self._numbers[value] = self.add(value)
        return found

    def add(self, value) -> int:
        """The number of a value that is known to be new."""
        with self._adding:
            self.values.append(value)
            return len(self.values) - 1


class Names(Interned):
    """Names of rows: pairs of what is shown and, for ops, the overload."""

    def number(self, name: str, overload: str = "") -> int:
        return super().number((name, overload))


class Inputs(Interned):
    """Inputs of calls: tuples, or what was written down in haste and has a ``read()`` that makes the tuple."""

    def __init__(self):
        super().__init__()
        self.values = ReadWhenAsked()
        self.when_forgotten: list[Callable[[], None]] = []

    def forget_unused(self) -> None:
        """Begin anew if no recording refers to any: a long run would remember every number it ever saw."""
        if sys.getrefcount(self.values) == 2:  # this object's, and the argument
            self.values = ReadWhenAsked()
            self._numbers.clear()
            for forget in self.when_forgotten:
                forget()


class ReadWhenAsked(list):
    """A list whose items are read when they are first looked at."""

    def __getitem__(self, number: int) -> tuple:
        value = super().__getitem__(number)
        if type(value) is not tuple:
            value = self[number] = value.read()
        return value


names = Names()
inputs = Inputs()
