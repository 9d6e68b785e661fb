"""Bytes that tensors share. Their birth and death are what a memory profile shows."""

from __future__ import annotations

from ..record import rows
from . import strided


class Storage:
    """Memory held by one array; the profiler hears of it when it was allocated for a tensor.

    ``seen`` says that a memory profile heard of its birth: only then does torch report its death. ``fixed`` says that
    others know the address, NumPy for one: such memory cannot move.
    """

    def __dealloc__(self):
        if self.counted:
            rows.memory_changed(self.address, -self.nbytes, self.seen)

    def replace(self, owner) -> None:
        """Point at other memory; the caller describes the tensors on it anew."""
        released = self.nbytes if self.counted else 0
        old_address, old_seen = self.address, self.seen
        self.owner = owner
        self.nbytes = strided.nbytes(owner)
        self.address = strided.address(owner)
        self.counted = self.nbytes > 0
        self.seen = self.counted and rows.memory_changed(self.address, self.nbytes, True)
        if released:
            rows.memory_changed(old_address, -released, old_seen)


def hold(array, counted):
    """A storage on an array; counted if its memory was allocated for a tensor."""
    made = Storage.__new__(Storage)
    made.owner = array
    made.nbytes = strided.nbytes(array)
    made.address = strided.address(array)
    made.counted = counted and made.nbytes > 0
    made.fixed = not counted
    made.seen = made.counted and rows.memory_changed(made.address, made.nbytes, True)
    return made


class Version:
    """How often the data was written in place; views and detached tensors share it."""

    def __init__(self):
        self.count = 0


try:
    Storage.__del__ = Storage.__dealloc__
except (AttributeError, TypeError):
    pass  # compiled: __dealloc__ is called by itself
