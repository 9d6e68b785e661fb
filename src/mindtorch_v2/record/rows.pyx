# cython: language_level=3, wraparound=False, cdivision=True
"""Per-thread buffers of fixed-width rows; rows.py is the same in plain Python.

A thread's log is found through a C thread-local pointer, so opening a row takes no lock and no dict. Rows are numbered
over a thread's whole life: a handle (thread and number) stays valid or is known to be stale, on any thread. A row knows
its parent by the distance back to it, so rows can be cut off, handed out and moved without renumbering. All of it runs
under the interpreter lock.
"""
from libc.stdlib cimport calloc, realloc
from libc.string cimport memmove

from .blocks cimport copied, handed_out, more_room

import threading

import numpy as np

from .layout import MEMORY, ROW, TENSOR
from .plain_text import name_of_thread

cdef extern from "ticks.h":
    void mt_start_clock() noexcept
    void mt_set_clock_right() noexcept
    int64_t mt_clock_ns() noexcept
    void *mt_log

cdef enum:
    NUMBER_BITS = 40

cdef int64_t NUMBER = (<int64_t>1 << NUMBER_BITS) - 1
cdef Log **logs = NULL
cdef int n_logs = 0
cdef int wanted = 0
cdef int64_t live_bytes = 0
cdef object clock = None
cdef bint clock_is_told = False
cdef dict thread_names = {}
# How many rows and memory rows a thread may hold, 0 for any number; and who is told when it holds them.
cdef Py_ssize_t most_rows = 0, most_memory = 0
cdef object full = None
cdef int64_t dropped_rows = 0, dropped_memory = 0
cdef dict late_ends = {}
local = threading.local()

mt_start_clock()


cdef int listening() noexcept nogil:
    return wanted


cdef int64_t told_ns() except -1:
    """The time by a test's clock: apart, so that the common way stays short."""
    return <int64_t>clock()


cdef inline int64_t now(Log *log) except -1:
    """The time, never earlier than what this thread was told before."""
    cdef int64_t time_ns = told_ns() if clock_is_told else mt_clock_ns()
    if time_ns < log.latest_ns:
        return log.latest_ns
    log.latest_ns = time_ns
    return time_ns


cdef inline Log *log_of_thread() except NULL:
    if mt_log == NULL:
        return join()
    return <Log *>mt_log


cdef Log *join() except NULL:
    """This thread's log, which may have been made for it before."""
    cdef int64_t ident = threading.get_ident()
    cdef Log *log = NULL
    for i in range(n_logs):
        if logs[i].ident == ident and not logs[i].ended:
            log = logs[i]
    if log == NULL:
        log = new_log(ident, threading.get_native_id(), name_of_thread(threading.current_thread()))
    (<Log **>&mt_log)[0] = log
    local.ending = Ending(log.index)
    return log


cdef Log *new_log(int64_t ident, int64_t os_id, str name) except NULL:
    """A log for a thread: one that an ended thread left empty, or another."""
    global logs, n_logs
    cdef Log *log = NULL
    for i in range(n_logs):
        if logs[i].ended and logs[i].n_rows == 0 and logs[i].n_memory == 0:
            log = logs[i]
            break
    else:
        log = <Log *>calloc(1, sizeof(Log))
        moved = <Log **>realloc(logs, (n_logs + 1) * sizeof(Log *))
        if log == NULL or moved == NULL:
            raise MemoryError("no memory left for this thread's profiler log")
        logs = moved
        logs[n_logs] = log
        n_logs += 1
        log.index = n_logs
    log.ended, log.innermost, log.depth, log.session, log.latest_ns, log.n_outer = False, -1, 0, 0, 0, 0
    log.ident, log.os_id = ident, os_id
    thread_names[log.index] = name
    return log


cdef Log *log_for(thread) except NULL:
    """The log of any running thread."""
    for i in range(n_logs):
        if logs[i].ident == <int64_t>thread.ident and not logs[i].ended:
            return logs[i]
    return new_log(thread.ident, thread.native_id, name_of_thread(thread))


cdef class Ending:
    """Lives as long as its thread; then the thread's log waits to be read and used again."""

    cdef int index

    def __cinit__(self, int index):
        self.index = index

    def __dealloc__(self):
        cdef Log *log = logs[self.index - 1]
        log.ended = True
        if <Log *>mt_log == log:
            (<Log **>&mt_log)[0] = NULL


cdef Log *log_at(int thread) noexcept:
    return logs[thread - 1]


cdef int thread_count() noexcept:
    return n_logs


cdef int thread_index() noexcept:
    try:
        return log_of_thread().index
    except MemoryError:
        return 0


cdef int64_t open_row(int name, int scope, int64_t sequence, int inputs, int forward_thread) except -2:
    return open_in(log_of_thread(), name, scope, sequence, inputs, forward_thread)


cdef inline int64_t open_in(Log *log, int name, int scope, int64_t sequence, int inputs, int forward_thread) except -2:
    cdef Row *row
    cdef int64_t number, start_ns = now(log)  # first: a test's own clock may itself be traced
    if log.n_rows == log.row_room and not has_room(log):
        return -1
    row = &log.rows[log.n_rows]
    number = log.first + log.n_rows
    row.end_ns = 0
    row.sequence = sequence
    row.name = name
    row.back = <uint32_t>(number - log.innermost) if log.innermost >= 0 else 0
    row.inputs = inputs
    row.forward_thread = <int16_t>forward_thread
    row.scope = <uint8_t>scope
    row.flags = 0
    log.innermost = number
    log.n_rows += 1
    row.start_ns = start_ns
    return (<int64_t>log.index << NUMBER_BITS) | number


cdef bint may_add(Log *log, Py_ssize_t most, Py_ssize_t *room, int64_t *dropped) except -1:
    """Whether something is kept of which a log has no room for more; if not, it is counted."""
    if most == 0 or room[0] < most or full(log.index):
        return True
    dropped[0] += 1
    return False


cdef bint has_room(Log *log) except -1:
    """Make room for a row; False if it is to be dropped."""
    if not may_add(log, most_rows, &log.row_room, &dropped_rows):
        return False
    if log.n_rows == log.row_room:
        log.rows = <Row *>more_room(log.rows, sizeof(Row), &log.row_room, &log.row_reserve, most_rows, "rows")
    return True


cdef bint has_memory_room(Log *log) except -1:
    """The same for a memory row."""
    if not may_add(log, most_memory, &log.memory_room, &dropped_memory):
        return False
    if log.n_memory == log.memory_room:
        log.memory = <MemoryRow *>more_room(log.memory, sizeof(MemoryRow), &log.memory_room, &log.memory_reserve,
                                            most_memory, "memory rows")
    return True


cdef int close_row(int64_t handle) except -1:
    cdef Log *log
    cdef Row *row
    cdef Py_ssize_t at
    cdef int64_t end_ns
    if handle < 0:
        return 0
    log = logs[(handle >> NUMBER_BITS) - 1]
    end_ns = now(log)
    at = (handle & NUMBER) - log.first
    if at < 0:
        return close_outer(log, handle, end_ns)
    row = &log.rows[at]
    if at >= log.n_rows or row.end_ns:
        return 0  # handed out while it was open, or closed before
    row.end_ns = end_ns
    if log.innermost == log.first + at:
        if 0 < row.back <= at and not log.rows[at - row.back].end_ns:
            log.innermost -= row.back  # as step_out() would find, for nearly all rows
        else:
            step_out(log)
    return 0


cdef int close_outer(Log *log, int64_t handle, int64_t end_ns) except -1:
    """Note the end of a row that was cut off while it was open; one that was handed out ends without a trace."""
    cdef int64_t number = handle & NUMBER
    cdef Py_ssize_t i
    for i in range(log.n_outer):
        if log.outer[i] == number:
            late_ends[handle] = end_ns
            log.n_outer -= 1
            memmove(log.outer + i, log.outer + i + 1, (log.n_outer - i) * sizeof(int64_t))
            if log.innermost == number:
                step_out(log)
            break
    return 0


cdef void step_out(Log *log) noexcept:
    """Make the nearest open ancestor the innermost row; between them there may be some that were closed too early."""
    cdef Row *row
    cdef int64_t number = log.innermost
    while number >= log.first:
        row = &log.rows[number - log.first]
        if not row.end_ns:
            break
        number = number - row.back if row.back else -1
    log.innermost = number if number >= log.first else outer_below(log, number)


cdef int64_t outer_below(Log *log, int64_t number) noexcept:
    """The innermost of the open rows that were cut off, not above a number; -1 if there is none."""
    cdef Py_ssize_t i = log.n_outer
    while i and log.outer[i - 1] > number:
        i -= 1
    return log.outer[i - 1] if i else -1


cdef bint memory_changed(int64_t address, int64_t change, bint seen) except -1:
    """Count an allocation (positive) or a release (negative); True if somebody listens, and it was kept."""
    global live_bytes
    cdef Log *log
    cdef MemoryRow *row
    cdef int64_t time_ns
    live_bytes += change
    if not wanted & 2:
        return False
    log = log_of_thread()
    time_ns = now(log)
    if log.n_memory == log.memory_room and not has_memory_room(log):
        return False
    row = &log.memory[log.n_memory]
    row.time_ns = time_ns
    row.place = address * 2 + seen
    row.change = change
    row.row = <uint32_t>(log.innermost + 1)
    log.n_memory += 1
    return True


cdef int tensor_given(int64_t handle, int slot, int64_t tensor, int64_t storage) except -1:
    """Keep which tensor a row was given; the row must be this thread's."""
    cdef Log *log = log_of_thread()
    cdef TensorRow *row
    if handle < 0:
        return 0
    if log.n_tensors == log.tensor_room:
        log.tensors = <TensorRow *>more_room(log.tensors, sizeof(TensorRow), &log.tensor_room, &log.tensor_reserve, 0,
                                             "tensor rows")
    row = &log.tensors[log.n_tensors]
    row.row = <uint32_t>((handle & NUMBER) + 1)
    row.slot, row.tensor, row.storage = slot, tensor, storage
    log.n_tensors += 1
    return 0


# ---- the same, for Python code -------------------------------------------------------------------------------

def listen(int want):
    """Say what to record: a sum of the bits in layout.py."""
    global wanted
    if want and not wanted:
        mt_set_clock_right()
    wanted = want

def limit(Py_ssize_t n_rows, Py_ssize_t n_memory, when_full):
    """How many rows and memory rows a thread may hold (0: any number).

    ``when_full(thread)`` makes room, or says that there may be more (True), or that what comes is dropped (False).
    """
    global most_rows, most_memory, full
    most_rows, most_memory, full = n_rows, n_memory, when_full

def dropped():
    """How many rows and memory rows were dropped since this was last asked."""
    global dropped_rows, dropped_memory
    found = dropped_rows, dropped_memory
    dropped_rows = dropped_memory = 0
    return found

def is_listening():
    return wanted

def open_range(int name, int scope=0, int64_t sequence=-1, int inputs=-1, int forward_thread=0):
    return open_row(name, scope, sequence, inputs, forward_thread)

def close_range(int64_t handle):
    close_row(handle)

def note_tensor(int64_t handle, int slot, int64_t tensor, int64_t storage):
    tensor_given(handle, slot, tensor, storage)

def current_thread():
    return thread_index()

def now_ns():
    return told_ns() if clock_is_told else mt_clock_ns()

def allocated_bytes():
    return live_bytes

def set_clock(now_ns):
    """Stamp rows by another clock, or by the machine's again (None); thread order starts anew with it."""
    global clock, clock_is_told
    clock, clock_is_told = now_ns, now_ns is not None
    for i in range(n_logs):
        logs[i].latest_ns = 0

def latest_ns():
    """The time, no earlier than anything that is in the logs."""
    cdef int64_t time_ns = now_ns()
    for i in range(n_logs):
        time_ns = max(time_ns, logs[i].latest_ns)
    return time_ns

def standing():
    """Bytes alive and marks() at one instant: no other thread can run in between."""
    ends = np.empty((n_logs, 3), np.int64)
    cdef size_t into = ends.ctypes.data
    cdef int64_t *end = <int64_t *>into
    cdef int64_t alive = live_bytes
    for i in range(len(ends)):
        end[3 * i] = logs[i].first + logs[i].n_rows
        end[3 * i + 1] = logs[i].first_memory + logs[i].n_memory
        end[3 * i + 2] = logs[i].first_tensor + logs[i].n_tensors
    return alive, {i + 1: tuple(marks) for i, marks in enumerate(ends.tolist())}

def marks():
    """Where each thread's log ends now: {thread: (rows, memory rows, tensors)}, counted over the thread's life."""
    return {logs[i].index: (logs[i].first + logs[i].n_rows, logs[i].first_memory + logs[i].n_memory,
                            logs[i].first_tensor + logs[i].n_tensors) for i in range(n_logs)}

def held(int thread):
    """Where what a thread's log holds begins, counted as in marks()."""
    cdef Log *log = logs[thread - 1]
    return log.first, log.first_memory, log.first_tensor

def open_rows(int thread):
    """Numbers of a thread's open rows, innermost first."""
    cdef Log *log = logs[thread - 1]
    cdef Row *row
    cdef int64_t number = log.innermost
    found = []
    while number >= log.first and number >= 0:
        row = &log.rows[number - log.first]
        if not row.end_ns:
            found.append(number)
        number = number - row.back if row.back else -1
    return found + [log.outer[i] for i in reversed(range(log.n_outer))]

def read(int thread, begin, end):
    """Copies of a thread's rows, memory rows and tensors between two marks, after the number of the first row."""
    cdef Log *log = logs[thread - 1]
    cdef int64_t row = max(<int64_t>begin[0], log.first), memory = max(<int64_t>begin[1], log.first_memory)
    cdef int64_t tensor = max(<int64_t>begin[2], log.first_tensor)
    return (row,
            copied(log.rows, row - log.first, end[0] - log.first, ROW),
            copied(log.memory, memory - log.first_memory, end[1] - log.first_memory, MEMORY),
            copied(log.tensors, tensor - log.first_tensor, end[2] - log.first_tensor, TENSOR))

def begins_at(int thread, marks):
    """Whether a thread's buffers hold nothing from before the marks."""
    cdef Log *log = logs[thread - 1]
    return log.first >= marks[0] and log.first_memory >= marks[1] and log.first_tensor >= marks[2]

def take(int thread, end):
    """Hand out a thread's log up to a mark without copying it, as read() does, and start an empty one."""
    cdef Log *log = logs[thread - 1]
    taken = (log.first, handed_out(log.rows, end[0] - log.first, ROW),
             handed_out(log.memory, end[1] - log.first_memory, MEMORY),
             handed_out(log.tensors, end[2] - log.first_tensor, TENSOR))
    log.first += log.n_rows
    log.first_memory += log.n_memory
    log.first_tensor += log.n_tensors
    log.rows, log.n_rows, log.row_room, log.row_reserve = NULL, 0, 0, 0
    log.memory, log.n_memory, log.memory_room, log.memory_reserve = NULL, 0, 0, 0
    log.tensors, log.n_tensors, log.tensor_room, log.tensor_reserve = NULL, 0, 0, 0
    log.innermost = -1
    log.n_outer = 0
    return taken

def cut(int thread):
    """As take(), but rows that are open stay so: what follows lies in them, and their ends are noted (see ends())."""
    cdef Log *log = logs[thread - 1]
    cdef int64_t innermost = log.innermost
    still_open = open_rows(thread)
    log.outer = <int64_t *>realloc(log.outer, (len(still_open) + 1) * sizeof(int64_t))
    if log.outer == NULL:
        raise MemoryError(f"no memory left for {len(still_open)} open profiler rows")
    taken = take(thread, marks()[thread])
    for i, number in enumerate(reversed(still_open)):
        log.outer[i] = number
    log.n_outer, log.innermost = len(still_open), innermost
    return taken

def ends(int thread):
    """When rows of a thread ended that had been cut off while they were open: {number: end_ns}, each told once."""
    mine = [handle for handle in late_ends if handle >> NUMBER_BITS == thread]
    return {handle & NUMBER: late_ends.pop(handle) for handle in mine}

def drop_before(int thread, int64_t number):
    """Forget a thread's rows below a number, their tensors, and the memory changes before the first that stays."""
    cdef Log *log = logs[thread - 1]
    cdef Py_ssize_t n = min(max(0, number - log.first), log.n_rows), m = 0, t = 0
    memmove(log.rows, log.rows + n, (log.n_rows - n) * sizeof(Row))
    log.n_rows -= n
    log.first += n
    step_out(log)
    while t < log.n_tensors and <int32_t>(log.tensors[t].row - 1 - <uint32_t>log.first) < 0:
        t += 1
    memmove(log.tensors, log.tensors + t, (log.n_tensors - t) * sizeof(TensorRow))
    log.n_tensors -= t
    log.first_tensor += t
    while m < log.n_memory and log.n_rows and log.memory[m].time_ns < log.rows[0].start_ns:
        m += 1
    drop_memory(thread, m)

def drop_memory(int thread, Py_ssize_t n):
    """Forget the first n memory changes of a thread."""
    cdef Log *log = logs[thread - 1]
    memmove(log.memory, log.memory + n, (log.n_memory - n) * sizeof(MemoryRow))
    log.n_memory -= n
    log.first_memory += n

def thread_facts(int thread):
    """Operating-system id and name of a thread that has a log."""
    return logs[thread - 1].os_id, thread_names[thread]

def after_fork():
    """Forget all rows: they are the parent's. This thread has another number in the child."""
    clear()
    log_of_thread().os_id = threading.get_native_id()

def clear():
    """Forget all rows; open ones close without a trace."""
    for i in range(n_logs):
        if logs[i].n_rows or logs[i].n_memory or logs[i].n_tensors or logs[i].n_outer:
            take(logs[i].index, (logs[i].first, logs[i].first_memory, logs[i].first_tensor))
