"""Bytes that tensors share. Their birth and death are what a memory profile shows."""

from __future__ import annotations

from ..record import rows
from . import array_pool, modes, strided


class Storage:
    """Memory held by one array; the profiler hears of it when it was allocated for a tensor.

    ``seen`` says that a memory profile heard of its birth: only then does torch report its death. ``fixed`` says that
    others know the address, NumPy for one: such memory cannot move. ``device`` is the number that core/device gave to
    the device it lies on. Compiled code trusts these fields, so Python may only read them.
    """

    def __dealloc__(self):
        if self.counted:
            rows.memory_changed(self.address, -self.nbytes, self.seen)
            owner, self.owner = self.owner, None
            array_pool.keep(owner)
        if self.device:
            modes.count_device(-1)


def hold(array, counted):
    """A storage on an array; counted if its memory was allocated for a tensor.

    An array of somebody else's may show only a part of its memory: then the storage reaches to its last element.
    """
    storage = Storage.__new__(Storage)
    storage.nbytes = strided.nbytes(array) if counted else strided.span(array)
    storage.owner = array
    storage.address = strided.address(array)
    storage.counted = counted and storage.nbytes > 0
    storage.fixed = not counted
    storage.device = 0
    storage.seen = storage.counted and rows.memory_changed(storage.address, storage.nbytes, True)
    return storage


def place(array, nbytes, device):
    """A storage on a device whose memory the profiler does not count, by the device's number."""
    storage = Storage.__new__(Storage)
    storage.nbytes = nbytes
    storage.owner = array
    storage.address = strided.address(array)
    storage.device = device
    storage.counted = storage.seen = storage.fixed = False
    modes.count_device(1)
    return storage


def replace(storage, owner):
    """Point a storage at other memory; the caller describes the tensors on it anew."""
    released = storage.nbytes if storage.counted else 0
    old_address, old_seen = storage.address, storage.seen
    storage.nbytes = strided.nbytes(owner)
    storage.owner = owner
    storage.address = strided.address(owner)
    storage.counted = storage.nbytes > 0 and not storage.device
    storage.seen = storage.counted and rows.memory_changed(storage.address, storage.nbytes, True)
    if released:
        rows.memory_changed(old_address, -released, old_seen)


def swap(storage, other):
    """Exchange the memory of two storages; the caller describes the tensors on them anew."""
    storage.owner, other.owner = other.owner, storage.owner
    storage.nbytes, other.nbytes = other.nbytes, storage.nbytes
    storage.address, other.address = other.address, storage.address
    storage.counted, other.counted = other.counted, storage.counted
    storage.seen, other.seen = other.seen, storage.seen
    storage.fixed, other.fixed = other.fixed, storage.fixed


def fix(storage):
    """Say that somebody else knows the address, so that the memory cannot move."""
    storage.fixed = True


class Version:
    """How often the data was written in place; views and detached tensors share it."""

    def __init__(self):
        self.count = 0


try:
    Storage.__del__ = Storage.__dealloc__
except (AttributeError, TypeError):
    pass  # compiled: __dealloc__ is called by itself
