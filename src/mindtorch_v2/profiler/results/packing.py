"""Columns as small integers: what they have in common is taken off, and the narrowest type that holds the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ..table.columns import Column, Columns

NARROW = tuple(map(np.dtype, ("u1", "u2", "u4", "u8")))


class Packed(NamedTuple):
    """A column: ``base + cells``; without cells it is the same in all rows."""

    base: int
    cells: np.ndarray | None


def pack(values: np.ndarray, is_leading: bool) -> Packed:
    """The smallest form of a column."""
    values = np.ascontiguousarray(values, np.int64)
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    if low == high and not is_leading:
        return Packed(low, None)
    narrowest = next(kind for kind in NARROW if high - low <= np.iinfo(kind).max)
    return Packed(low, (values - np.int64(low)).view(np.uint64).astype(narrowest))  # what overflows is right again


def relative(name: str, table: Mapping) -> np.ndarray:
    """A column of events as file_format.RELATIVE describes it."""
    if name == "end_ns":
        return table["end_ns"] - table["start_ns"]
    rows = np.arange(len(table["id"]))
    return table["id"] - rows if name == "id" else np.where(table["parent"] >= 0, rows - table["parent"], 0)


class Unpacked(Columns):
    """Columns of a file, made whole when they are asked for."""

    def __init__(self, declared: tuple[Column, ...], n_rows: int, packed: dict[str, Packed], relative: Mapping = ()):
        super().__init__(declared, n_rows)
        self._packed, self._relative = packed, relative

    def limits(self, name: str) -> tuple[int, int]:
        """The least and the greatest stored number of a column, its base added; of none, 0 and 0."""
        base, cells = self._packed[name]
        if not self.n_rows:
            return 0, 0
        return (base, base) if cells is None else (base + int(cells.min()), base + int(cells.max()))

    def stored(self, name: str) -> np.ndarray:
        """The numbers as they were packed."""
        base, cells = self._packed[name]
        if cells is None:
            return np.full(self.n_rows, base, np.int64)
        return cells.astype(np.uint64).view(np.int64) + np.int64(base)

    def make(self, name: str) -> np.ndarray:
        stored = self.stored(name)
        if name not in self._relative:
            return stored
        if name == "end_ns":
            return self["start_ns"] + stored
        rows = np.arange(self.n_rows)
        return rows + stored if name == "id" else np.where(stored > 0, rows - stored, -1)
