# cython: language_level=3
"""Blocks of memory that rows are written into: how they grow, and how NumPy gets them without a copy.

The plain reading, rows.py, keeps its rows in lists and needs nothing of this.
"""
from cpython.buffer cimport PyBuffer_FillInfo
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

import numpy as np

cdef extern from "pages.h":
    void mt_bring_in(char *begin, size_t size) noexcept

cdef enum:
    FIRST_ROOM = 256
    AHEAD = 1 << 18  # bytes


cdef void *more_room(void *block, Py_ssize_t size, Py_ssize_t *room, Py_ssize_t *reserve, Py_ssize_t most,
                     str what) except NULL:
    """The block, moved if need be, with room for more items of a size, at most as many as are allowed (0: any number).

    Address space is reserved in doubling steps; the memory itself is brought in a little ahead of the rows: asking for
    it page by page would cost every row as much as a look at the clock.
    """
    cdef Py_ssize_t grown, begin = room[0]
    if begin == reserve[0]:
        grown = begin * 2 if begin else FIRST_ROOM
        if begin < most < grown:
            grown = most
        moved = realloc(block, grown * size)
        if moved == NULL:
            raise MemoryError(f"no memory left for {grown} profiler {what}; record fewer steps")
        block, reserve[0] = moved, grown
    room[0] = min(reserve[0], begin + max(FIRST_ROOM, AHEAD // size))
    mt_bring_in(<char *>block + begin * size, (room[0] - begin) * size)
    return block


cdef object copied(void *block, Py_ssize_t begin, Py_ssize_t end, dtype):
    """An array with a copy of the items between two numbers."""
    cdef Py_ssize_t n = max(0, end - begin), size = dtype.itemsize
    made = np.empty(n, dtype)
    cdef size_t into = made.ctypes.data
    if n:
        memcpy(<void *>into, <char *>block + begin * size, n * size)
    return made


cdef object handed_out(void *block, Py_ssize_t n, dtype):
    """An array on the block itself, cut to its first n items."""
    if n == 0:
        free(block)
        return np.empty(0, dtype)
    made = Block()
    made.bytes = <char *>realloc(block, n * <Py_ssize_t>dtype.itemsize)
    made.size = n * dtype.itemsize
    return np.frombuffer(made, dtype)


cdef class Block:
    """A block that was handed out; freed when the last array on it is gone."""

    cdef char *bytes
    cdef Py_ssize_t size

    def __getbuffer__(self, Py_buffer *view, int flags):
        PyBuffer_FillInfo(view, self, self.bytes, self.size, 0, flags)

    def __dealloc__(self):
        free(self.bytes)
