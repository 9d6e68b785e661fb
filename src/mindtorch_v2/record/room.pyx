# cython: language_level=3, wraparound=False, cdivision=True
"""How much the threads' logs may hold together, and how their buffers grow.

The plain reading, rows.py, keeps its rows in lists: of this it has the limits alone.
"""
from libc.stdint cimport int64_t

from . cimport rows
from .blocks cimport more_room
from .rows cimport Log, MemoryRow, Row, TensorRow

# How many rows and memory rows all logs together may hold (0: any number), by how many a log grows then, and who is
# asked when they hold them.
cdef Py_ssize_t most_rows = 0, most_memory = 0, row_step = 0, memory_step = 0
cdef object full = None
cdef int64_t refused_rows = 0


def limit(Py_ssize_t n_rows, Py_ssize_t n_memory, Py_ssize_t step, when_full):
    """How many rows and memory rows all threads together may hold (0: any number); a log grows by a step then.

    ``when_full(thread)`` makes room, or says that there may be more (True), or that what comes is refused (False).
    """
    global most_rows, most_memory, row_step, memory_step, full
    most_rows, most_memory, full = max(n_rows, 0), max(n_memory, 0), when_full
    row_step, memory_step = (max(step, 1) if most_rows else 0), (max(step, 1) if most_memory else 0)

def refused():
    """How many rows there was no room for, ever."""
    return refused_rows


cdef bint may_grow(int index) except -1:
    """Ask whether a full log may have more; who is asked must not fail into the profiled program."""
    try:
        return full is None or full(index)
    except Exception:
        return False


cdef bint has_room(Log *log) except -1:
    """Make room for a row; if there is to be none, the row is counted as refused."""
    global refused_rows
    cdef Py_ssize_t held = 0, step = row_step
    cdef int i
    if most_rows:
        for i in range(rows.thread_count()):
            held += rows.log_at(i + 1).row_room
        if held < most_rows:
            step = min(step, most_rows - held)
        elif not may_grow(log.index):
            refused_rows += 1
            return False
    if log.n_rows == log.row_room:
        moved = more_room(log.rows, sizeof(Row), &log.row_room, &log.row_reserve, step)
        if moved == NULL:
            refused_rows += 1
            return False
        log.rows = <Row *>moved
    return True


cdef bint has_memory_room(Log *log) except -1:
    """The same for a memory row."""
    cdef Py_ssize_t held = 0, step = memory_step
    cdef int i
    if most_memory:
        for i in range(rows.thread_count()):
            held += rows.log_at(i + 1).memory_room
        if held < most_memory:
            step = min(step, most_memory - held)
        elif not may_grow(log.index):
            return False
    if log.n_memory == log.memory_room:
        moved = more_room(log.memory, sizeof(MemoryRow), &log.memory_room, &log.memory_reserve, step)
        if moved == NULL:
            return False
        log.memory = <MemoryRow *>moved
    return True


cdef bint has_tensor_room(Log *log) noexcept:
    """The same for a tensor: there are as many as the rows need."""
    moved = more_room(log.tensors, sizeof(TensorRow), &log.tensor_room, &log.tensor_reserve, 0)
    if moved != NULL:
        log.tensors = <TensorRow *>moved
    return moved != NULL
