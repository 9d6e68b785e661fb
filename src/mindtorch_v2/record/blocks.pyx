# cython: language_level=3
"""Blocks of memory that rows are written into: how they grow, and how NumPy gets them without a copy.

The plain reading, rows.py, keeps its rows in lists and needs nothing of this.
"""
from cpython.buffer cimport PyBuffer_FillInfo
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

import numpy as np

cdef extern from "pages.h":
    void mt_bring_in(char *begin, size_t size) noexcept
    void mt_give_back(char *begin, size_t size) noexcept

cdef enum:
    AHEAD = 1 << 18  # bytes
    FIRST_BYTES = 1 << 23  # of a block, and of its first growth: more than malloc takes from its heap, so that it is
    MAPPED_BYTES = 1 << 26  # never copied again
    PATIENCE = 1000  # requests that are refused at once after one that the system refused, which takes it long

cdef int refusals = 0  # still to come
cdef Py_ssize_t MOST_BYTES = <Py_ssize_t>1 << 48  # more than a process can address


cdef void *more_room(void *block, Py_ssize_t size, Py_ssize_t *room, Py_ssize_t *reserve, Py_ssize_t step) noexcept:
    """The block, moved if need be, with room for more items of a size; NULL, and the old block, if there is no memory.

    A bounded block grows by a step at a time. Of others, address space is reserved in large steps, and the memory
    itself is brought in a little ahead of the rows: page by page would cost every row as much as a look at the clock.
    """
    global refusals
    cdef Py_ssize_t begin = room[0], grown
    cdef Py_ssize_t end
    if step > MOST_BYTES // size - begin:
        return NULL
    end = begin + (step if step else AHEAD // size)
    if end > reserve[0]:
        if refusals > 0:
            refusals -= 1
            return NULL
        grown = end if step else FIRST_BYTES // size if begin == 0 else max(begin * 2, MAPPED_BYTES // size)
        moved = resized(block, begin * size, grown * size)
        if moved == NULL and grown > end:
            grown = end
            moved = resized(block, begin * size, grown * size)
        if moved == NULL:
            refusals = PATIENCE
            return NULL
        block, reserve[0] = moved, grown
    room[0] = min(reserve[0], end)
    mt_bring_in(<char *>block + begin * size, (room[0] - begin) * size)
    return block


cdef void *resized(void *block, size_t used, size_t wanted) noexcept:
    """realloc(), but memory of the heap that is left for a mapping goes back to the system."""
    if block == NULL or used > FIRST_BYTES or wanted <= FIRST_BYTES:
        return realloc(block, wanted)
    moved = malloc(wanted)
    if moved != NULL:
        memcpy(moved, block, used)
        mt_give_back(<char *>block, used)
        free(block)
    return moved


cdef object handed_out(void *block, Py_ssize_t n, dtype):
    """An array on the first n items of the block itself; what a mapping has beyond them is not memory, and stays."""
    if n == 0:
        free(block)
        return np.empty(0, dtype)
    owner = Block()
    owner.size = n * dtype.itemsize
    owner.bytes = <char *>(realloc(block, owner.size) if owner.size <= FIRST_BYTES else block)
    return np.frombuffer(owner, dtype)


cdef class Block:
    """A block that was handed out; freed when the last array on it is gone."""

    cdef char *bytes
    cdef Py_ssize_t size

    def __getbuffer__(self, Py_buffer *view, int flags):
        PyBuffer_FillInfo(view, self, self.bytes, self.size, 0, flags)

    def __dealloc__(self):
        free(self.bytes)
