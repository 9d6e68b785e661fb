"""Protobuf messages written many at a time: a field is a matrix of bytes, a row for each message, with a mask."""

from __future__ import annotations

import numpy as np

VARINT, FIXED64, BYTES = 0, 1, 2  # how a field is written
BITS, MORE = 7, 0x80


class Fields:
    """The same field, or several one behind the other, of some messages: bytes, and which of them are there."""

    def __init__(self, cells: np.ndarray, there: np.ndarray):
        self.cells, self.there = cells, there

    def where(self, present: np.ndarray) -> Fields:
        """The same, left out of all other messages."""
        return Fields(self.cells, self.there & present[:, None])

    @property
    def lengths(self) -> np.ndarray:
        return self.there.sum(axis=1)

    def written(self) -> bytes:
        """All messages, one behind the other."""
        return self.cells[self.there].tobytes()


def together(*parts: Fields) -> Fields:
    """Fields one behind the other."""
    return Fields(np.hstack([part.cells for part in parts]), np.hstack([part.there for part in parts]))


def varints(values: np.ndarray) -> Fields:
    """Numbers that are not negative, seven bits a byte, the lowest first."""
    values = np.asarray(values).astype(np.uint64)
    width = max(1, -(-int(values.max(initial=0)).bit_length() // BITS))
    parts = values[:, None] >> np.arange(0, BITS * width, BITS, dtype=np.uint64)
    there = parts > 0
    there[:, 0] = True
    goes_on = np.zeros_like(there)
    goes_on[:, :-1] = there[:, 1:]
    return Fields((parts & np.uint64(MORE - 1)).astype(np.uint8) | goes_on * np.uint8(MORE), there)


def tags(number: int, kind: int, n: int) -> Fields:
    """What stands before a field of n messages."""
    return varints(np.full(n, number << 3 | kind))


def numbers(number: int, values: np.ndarray) -> Fields:
    """A field of whole numbers."""
    return together(tags(number, VARINT, len(values)), varints(values))


def fixed(number: int, values: np.ndarray) -> Fields:
    """A field of numbers of eight bytes."""
    cells = np.ascontiguousarray(values, "<u8").view(np.uint8).reshape(-1, 8)
    return together(tags(number, FIXED64, len(values)), Fields(cells, np.ones(cells.shape, bool)))


def messages(number: int, *parts: Fields) -> Fields:
    """A field that is a message of its own, with these fields."""
    body = together(*parts)
    return together(tags(number, BYTES, len(body.cells)), varints(body.lengths), body)


def number(field: int, value: int) -> bytes:
    """One whole number."""
    return numbers(field, np.array([value], np.uint64)).written()


def text(field: int, value: str | bytes) -> bytes:
    """One text, which Perfetto would end at a zero byte, or one message that is written already."""
    data = value if isinstance(value, bytes) else value.replace("\0", "\\x00").encode("utf-8", "backslashreplace")
    return tags(field, BYTES, 1).written() + varints(np.array([len(data)])).written() + data
