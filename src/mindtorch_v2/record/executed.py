"""What went into calls and what came out, for execution traces; filled only while somebody observes."""

from __future__ import annotations

from typing import NamedTuple


class TensorSeen(NamedTuple):
    """One tensor as a call saw it."""

    tensor: int
    storage: int
    offset: int
    numel: int
    itemsize: int
    device: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: str


class Named(NamedTuple):
    """A value that is shown by its type's name: a generator, a complex number, a device."""

    kind: str
    text: str


# By the handle of the call's row: a tuple of what went in, a tuple of what came out.
given: dict[int, tuple] = {}
returned: dict[int, tuple] = {}


def forget() -> None:
    """Nobody observes any more."""
    given.clear()
    returned.clear()
