"""Interned words: every name and every set of inputs is stored once and known by a number."""

from __future__ import annotations

from collections.abc import Hashable


class Interned:
    """A table that gives each distinct value a small number, for ever."""

    def __init__(self):
        self.values: list = []
        self._numbers: dict[Hashable, int] = {}

    def number(self, value: Hashable) -> int:
        found = self._numbers.get(value)
        if found is None:
            # A lost race between threads only stores a value twice; both numbers stay valid.
            self.values.append(value)
            found = self._numbers[value] = len(self.values) - 1
        return found


class Names(Interned):
    """Names of rows: pairs of what is shown and, for ops, the overload."""

    def number(self, name: str, overload: str = "") -> int:
        return super().number((name, overload))


names = Names()
inputs = Interned()
