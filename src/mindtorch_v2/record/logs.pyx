# cython: language_level=3, wraparound=False, cdivision=True
"""What the threads' logs hold: read, handed out, cut off, dropped; logs.py is the same in plain Python.

Other threads write rows whenever Python runs, and their buffers move. So everything that may run Python (an array, a
list, a number) is done before or after a buffer is looked at, never in between.
"""
cimport numpy as cnp
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memmove

from . cimport rows
from .blocks cimport handed_out
from .rows cimport NUMBER_BITS, Log, MemoryRow, Row, TensorRow

import threading

import numpy as np

from .layout import MEMORY, ROW, TENSOR
from .rows import late_ends, thread_facts  # noqa: F401  thread_facts is asked for here

cnp.import_array()

cdef struct Buffers:
    int64_t first
    Row *rows
    Py_ssize_t n_rows
    MemoryRow *memory
    Py_ssize_t n_memory
    TensorRow *tensors
    Py_ssize_t n_tensors


cdef Log *log_of(int thread) except NULL:
    if not 0 < thread <= rows.thread_count():
        raise IndexError(f"there is no thread {thread} in the recorder, only 1 to {rows.thread_count()}")
    return rows.log_at(thread)


def standing():
    """Bytes alive and marks() at one instant: no other thread can run in between."""
    cdef cnp.ndarray ends = np.empty((rows.thread_count(), 3), np.int64)
    cdef int64_t *end = <int64_t *>cnp.PyArray_DATA(ends)
    cdef Py_ssize_t i, n = cnp.PyArray_DIM(ends, 0)
    cdef int64_t alive = rows.bytes_alive()
    cdef Log *log
    for i in range(n):
        log = rows.log_at(<int>i + 1)
        end[3 * i] = log.first + log.n_rows
        end[3 * i + 1] = log.first_memory + log.n_memory
        end[3 * i + 2] = log.first_tensor + log.n_tensors
    return alive, {i + 1: tuple(marks) for i, marks in enumerate(ends.tolist())}

def marks():
    """Where each thread's log ends now: {thread: (rows, memory rows, tensors)}, counted over the log's life."""
    return standing()[1]

def last_ns():
    """The latest time in the logs."""
    cdef int i
    cdef int64_t time_ns = 0
    for i in range(rows.thread_count()):
        time_ns = max(time_ns, rows.log_at(i + 1).latest_ns)
    return time_ns

def held(int thread):
    """Where what a thread's log holds begins, counted as in marks()."""
    cdef Log *log = log_of(thread)
    return log.first, log.first_memory, log.first_tensor

def life(int thread):
    """How many threads have had this log before."""
    return log_of(thread).life

def open_rows(int thread):
    """Numbers of a thread's open rows, innermost first."""
    cdef Log *log = log_of(thread)
    cdef Py_ssize_t n = 0, i
    cdef int64_t *numbers = open_numbers(log, &n)
    if numbers == NULL:
        raise MemoryError("no memory left for the numbers of open profiler rows")
    try:
        return [numbers[i] for i in range(n)]
    finally:
        free(numbers)


cdef int64_t *open_numbers(Log *log, Py_ssize_t *n) noexcept:
    """The numbers of open rows, innermost first, in memory of the caller's; NULL if there is none."""
    cdef int64_t number
    cdef int64_t *numbers = NULL
    cdef Py_ssize_t i
    for counted in (False, True):
        n[0] = 0
        number = log.innermost
        while number >= log.first and number >= 0:
            row = &log.rows[number - log.first]
            if not row.end_ns:
                if counted:
                    numbers[n[0]] = number
                n[0] += 1
            number = number - row.back if row.back else -1
        if not counted:
            numbers = <int64_t *>malloc((n[0] + log.n_outer + 1) * sizeof(int64_t))
            if numbers == NULL:
                return NULL
    for i in range(log.n_outer):
        numbers[n[0] + i] = log.outer[log.n_outer - 1 - i]
    n[0] += log.n_outer
    return numbers


def read(int thread, begin, end):
    """Copies of a thread's rows, memory rows and tensors between two marks, after the number of the first row."""
    cdef Log *log = log_of(thread)
    cdef int64_t row = begin[0], memory = begin[1], tensor = begin[2]
    cdef int64_t row_end = end[0], memory_end = end[1], tensor_end = end[2]
    cdef cnp.ndarray of_rows = np.empty(within(row, row_end, log.first, log.n_rows), ROW)
    cdef cnp.ndarray of_memory = np.empty(within(memory, memory_end, log.first_memory, log.n_memory), MEMORY)
    cdef cnp.ndarray of_tensors = np.empty(within(tensor, tensor_end, log.first_tensor, log.n_tensors), TENSOR)
    row, memory, tensor = max(row, log.first), max(memory, log.first_memory), max(tensor, log.first_tensor)
    n_rows = copy(of_rows, log.rows, row - log.first, within(row, row_end, log.first, log.n_rows), sizeof(Row))
    n_memory = copy(of_memory, log.memory, memory - log.first_memory,
                    within(memory, memory_end, log.first_memory, log.n_memory), sizeof(MemoryRow))
    n_tensors = copy(of_tensors, log.tensors, tensor - log.first_tensor,
                     within(tensor, tensor_end, log.first_tensor, log.n_tensors), sizeof(TensorRow))
    return row, of_rows[:n_rows], of_memory[:n_memory], of_tensors[:n_tensors]


cdef Py_ssize_t within(int64_t begin, int64_t end, int64_t first, Py_ssize_t n) noexcept:
    """How many of a buffer's items lie between two numbers."""
    return max(0, min(end, first + n) - max(begin, first))


cdef Py_ssize_t copy(cnp.ndarray into, void *block, Py_ssize_t begin, Py_ssize_t n, size_t size) noexcept:
    """Copy items into an array that was made for as many or fewer: how many were copied."""
    n = min(n, cnp.PyArray_DIM(into, 0))
    if n > 0:
        memcpy(cnp.PyArray_DATA(into), <char *>block + begin * size, n * size)
    return n


def begins_at(int thread, marks):
    """Whether a thread's buffers hold nothing from before the marks."""
    cdef Log *log = log_of(thread)
    return log.first >= marks[0] and log.first_memory >= marks[1] and log.first_tensor >= marks[2]

def take(int thread, end):
    """Hand out a thread's log up to a mark without copying it, as read() does, and start an empty one."""
    cdef Log *log = log_of(thread)
    cdef int64_t row_end = end[0], memory_end = end[1], tensor_end = end[2]
    cdef Py_ssize_t n_rows = within(0, row_end, log.first, log.n_rows)
    cdef Py_ssize_t n_memory = within(0, memory_end, log.first_memory, log.n_memory)
    cdef Py_ssize_t n_tensors = within(0, tensor_end, log.first_tensor, log.n_tensors)
    cdef Buffers taken = detached(log)
    log.innermost, log.n_outer = -1, 0
    return (taken.first, handed_out(taken.rows, n_rows, ROW), handed_out(taken.memory, n_memory, MEMORY),
            handed_out(taken.tensors, n_tensors, TENSOR))

def cut(int thread, end):
    """As take(), but rows that are open stay so: what follows lies in them, and their ends are noted (see ends_of()).

    None, and nothing is done, if the log has gone on since the mark.
    """
    cdef Log *log = log_of(thread)
    cdef int64_t row_end = end[0], memory_end = end[1], tensor_end = end[2]
    cdef Py_ssize_t n = 0, i
    cdef int64_t *numbers = NULL
    cdef Buffers taken
    if (log.first + log.n_rows == row_end and log.first_memory + log.n_memory == memory_end
            and log.first_tensor + log.n_tensors == tensor_end):
        numbers = open_numbers(log, &n)
    if numbers == NULL:
        return None
    for i in range(n // 2):  # the outermost first
        numbers[i], numbers[n - 1 - i] = numbers[n - 1 - i], numbers[i]
    taken = detached(log)
    free(log.outer)
    log.outer, log.n_outer = numbers, n
    return (taken.first, handed_out(taken.rows, taken.n_rows, ROW), handed_out(taken.memory, taken.n_memory, MEMORY),
            handed_out(taken.tensors, taken.n_tensors, TENSOR))


cdef Buffers detached(Log *log) noexcept:
    """The buffers of a log, which begins anew without them; what is open stays open."""
    cdef Buffers taken = Buffers(log.first, log.rows, log.n_rows, log.memory, log.n_memory, log.tensors, log.n_tensors)
    log.first += log.n_rows
    log.first_memory += log.n_memory
    log.first_tensor += log.n_tensors
    log.rows, log.n_rows, log.row_room, log.row_reserve = NULL, 0, 0, 0
    log.memory, log.n_memory, log.memory_room, log.memory_reserve = NULL, 0, 0, 0
    log.tensors, log.n_tensors, log.tensor_room, log.tensor_reserve = NULL, 0, 0, 0
    return taken


def ends_of(int thread, numbers):
    """When these rows of a thread ended; 0 for those that have not. Of a row that was cut off it is told once."""
    cdef Log *log = log_of(thread)
    cdef cnp.ndarray asked = np.ascontiguousarray(numbers, np.int64).ravel()
    cdef Py_ssize_t i, n = cnp.PyArray_DIM(asked, 0)
    cdef cnp.ndarray ended = np.zeros(n, np.int64)
    cdef int64_t *number = <int64_t *>cnp.PyArray_DATA(asked)
    cdef int64_t *end_ns = <int64_t *>cnp.PyArray_DATA(ended)
    for i in range(n):
        if log.first <= number[i] < log.first + log.n_rows:
            end_ns[i] = log.rows[number[i] - log.first].end_ns
    if late_ends:
        for i in range(n):
            handle = (<int64_t>thread << NUMBER_BITS) | number[i]
            if handle in late_ends:
                end_ns[i] = late_ends.pop(handle)
    return ended

def drop_before(int thread, int64_t number, int64_t time_ns):
    """Forget a thread's rows below a number, their tensors, and the memory changes before a time."""
    cdef Log *log = log_of(thread)
    cdef Py_ssize_t n = min(max(0, number - log.first), log.n_rows), m = 0, t = 0
    memmove(log.rows, log.rows + n, (log.n_rows - n) * sizeof(Row))
    log.n_rows -= n
    log.first += n
    rows.step_out(log)
    while t < log.n_tensors and <int>(log.tensors[t].row - 1 - <unsigned int>log.first) < 0:
        t += 1
    memmove(log.tensors, log.tensors + t, (log.n_tensors - t) * sizeof(TensorRow))
    log.n_tensors -= t
    log.first_tensor += t
    while m < log.n_memory and log.memory[m].time_ns < time_ns:
        m += 1
    memmove(log.memory, log.memory + m, (log.n_memory - m) * sizeof(MemoryRow))
    log.n_memory -= m
    log.first_memory += m

def fit(int thread, Py_ssize_t spare):
    """Give back what a thread's buffers have beyond their items and some spare ones."""
    rows.fit(log_of(thread), max(spare, 0))

def after_fork():
    """Forget all rows: they are the parent's. This thread has another number in the child."""
    clear()
    rows.log_of_thread().os_id = threading.get_native_id()

def clear():
    """Forget all rows; open ones close without a trace."""
    for thread, end in marks().items():
        take(thread, end)
    late_ends.clear()
