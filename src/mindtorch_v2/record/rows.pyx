# cython: language_level=3, boundscheck=False, wraparound=False
"""Per-thread buffers of fixed-width rows; rows.py is the same in plain Python.

A thread's log is found through a C thread-local pointer, so opening a row takes no lock and no dict. The logs
themselves are linked in one list, so that any thread may read them. All of it runs under the interpreter lock.
"""
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, realloc
from libc.string cimport memcpy

import threading

import numpy as np

cdef extern from *:
    """
    #include <time.h>
    #include <stdint.h>
    static int64_t mt_clock_ns(void) {
        struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t);
        return (int64_t)t.tv_sec * 1000000000LL + t.tv_nsec;
    }
    #if defined(_MSC_VER)
    static __declspec(thread) void *mt_log = 0;
    #else
    static __thread void *mt_log = 0;
    #endif
    """
    int64_t mt_clock_ns() noexcept
    void *mt_log

cdef struct MemoryRow:
    int64_t time_ns
    int64_t address
    int64_t change
    int64_t total
    int32_t row
    int32_t unused

cdef struct Log:
    Row *rows
    Py_ssize_t n_rows, row_room
    MemoryRow *memory
    Py_ssize_t n_memory, memory_room
    Py_ssize_t innermost
    int index
    int64_t os_id

ROW = np.dtype([("start_ns", "i8"), ("end_ns", "i8"), ("sequence", "i8"), ("name", "i4"), ("parent", "i4"),
                ("inputs", "i4"), ("forward_thread", "i4"), ("scope", "i4"), ("flags", "i4")])
MEMORY = np.dtype([("time_ns", "i8"), ("address", "i8"), ("change", "i8"), ("total", "i8"), ("row", "i4"), ("unused", "i4")])

cdef Log **logs = NULL
cdef int n_logs = 0
cdef int wanted = 0
cdef int64_t live_bytes = 0
cdef object clock = None
cdef dict thread_names = {}

cdef int listening() noexcept nogil:
    return wanted

cdef int64_t now() except -1:
    return mt_clock_ns() if clock is None else <int64_t>clock()

cdef Log *log_of_thread() except NULL:
    global logs, n_logs
    if mt_log == NULL:
        made = <Log *>calloc(1, sizeof(Log))
        moved = <Log **>realloc(logs, (n_logs + 1) * sizeof(Log *))
        if made == NULL or moved == NULL:
            raise MemoryError("no memory left for this thread's profiler log")
        logs = moved
        logs[n_logs] = made
        n_logs += 1
        made.index = n_logs
        made.innermost = -1
        made.os_id = threading.get_native_id()
        thread_names[made.index] = threading.current_thread().name
        (<Log **>&mt_log)[0] = made
    return <Log *>mt_log

cdef int thread_index() noexcept:
    try:
        return log_of_thread().index
    except MemoryError:
        return 0

cdef Py_ssize_t open_row(int name, int scope, int64_t sequence, int inputs, int forward_thread) except -2:
    cdef Log *log = log_of_thread()
    cdef Row *row
    if log.n_rows == log.row_room:
        room = log.row_room * 2 if log.row_room else 4096
        moved = <Row *>realloc(log.rows, room * sizeof(Row))
        if moved == NULL:
            raise MemoryError(f"no memory left for {room} profiler rows; record fewer steps")
        log.rows, log.row_room = moved, room
    row = &log.rows[log.n_rows]
    row.end_ns = 0
    row.sequence = sequence
    row.name = name
    row.parent = <int32_t>log.innermost
    row.inputs = inputs
    row.forward_thread = forward_thread
    row.scope = scope
    row.flags = 0
    log.innermost = log.n_rows
    log.n_rows += 1
    row.start_ns = now()
    return log.innermost

cdef int close_row(Py_ssize_t index) except -1:
    cdef Log *log = log_of_thread()
    if index < 0 or index >= log.n_rows or log.rows[index].end_ns:
        return 0  # the buffers were emptied while the row was open
    log.rows[index].end_ns = now()
    while log.innermost >= 0 and log.rows[log.innermost].end_ns:
        log.innermost = log.rows[log.innermost].parent
    return 0

cdef int memory_changed(int64_t address, int64_t change) except -1:
    """Count an allocation (positive) or a release (negative), and keep it if somebody listens."""
    global live_bytes
    cdef Log *log
    cdef MemoryRow *row
    live_bytes += change
    if not wanted & 2:
        return 0
    log = log_of_thread()
    if log.n_memory == log.memory_room:
        room = log.memory_room * 2 if log.memory_room else 4096
        moved = <MemoryRow *>realloc(log.memory, room * sizeof(MemoryRow))
        if moved == NULL:
            raise MemoryError(f"no memory left for {room} memory rows; record fewer steps")
        log.memory, log.memory_room = moved, room
    row = &log.memory[log.n_memory]
    row.time_ns, row.address, row.change, row.total = now(), address, change, live_bytes
    row.row, row.unused = <int32_t>log.innermost, 0
    log.n_memory += 1
    return 0

# ---- the same, for Python code -------------------------------------------------------------------------------

def listen(int want):
    """Say what to record: 0 nothing, 1 calls, +2 memory, +4 inputs."""
    global wanted
    wanted = want

def is_listening():
    return wanted

def open_range(int name, int scope=0, int64_t sequence=-1, int inputs=-1, int forward_thread=0):
    return open_row(name, scope, sequence, inputs, forward_thread)

def close_range(Py_ssize_t row):
    close_row(row)

def current_thread():
    return thread_index()

def now_ns():
    return now()

def allocated_bytes():
    return live_bytes

def set_clock(now_ns):
    global clock
    clock = now_ns

def marks():
    """Where each thread's log ends now: {thread: (rows, memory rows)}."""
    return {logs[i].index: (logs[i].n_rows, logs[i].n_memory) for i in range(n_logs)}

def read(int thread, Py_ssize_t first_row, Py_ssize_t first_memory):
    """Copies of a thread's rows and memory rows from the given marks on."""
    cdef Log *log = logs[thread - 1]
    cdef Py_ssize_t n = max(0, log.n_rows - first_row), m = max(0, log.n_memory - first_memory)
    rows, memory = np.empty(n, ROW), np.empty(m, MEMORY)
    cdef size_t at
    if n:
        at = rows.ctypes.data
        memcpy(<void *>at, log.rows + first_row, n * sizeof(Row))
    if m:
        at = memory.ctypes.data
        memcpy(<void *>at, log.memory + first_memory, m * sizeof(MemoryRow))
    return rows, memory

def thread_facts(int thread):
    """Operating-system id and name of a thread that has a log."""
    return logs[thread - 1].os_id, thread_names[thread]

def clear():
    """Forget all rows; open ones close without a trace."""
    for i in range(n_logs):
        logs[i].n_rows = logs[i].n_memory = 0
        logs[i].innermost = -1
