# cython: language_level=3, wraparound=False, cdivision=True
"""Per-thread logs of fixed-width rows: how they are written; rows.py is the same in plain Python.

A thread's log is found through a C thread-local pointer, so opening a row takes no lock and no dict. Rows are numbered
over a thread's whole life: a handle (thread and number) stays valid or is known to be stale, on any thread. A row knows
its parent by the distance back to it, so rows can be cut off, handed out and moved without renumbering. All of it runs
under the interpreter lock. logs.pyx reads what is written here, and room.pyx has the buffers grow.

What nearly every row needs stands in functions that call no other, so they have no registers to save. All else is
left to longer ways (``_slowly``), which are called by their addresses: no compiler puts them into their callers.
"""
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memmove

from . cimport room

import threading

from .plain_text import name_of_thread
from .room import limit, refused  # noqa: F401  they are asked for here

cdef enum:  # as layout.py has them
    CPU_TIME = 37
    WANTS_CPU_TIMES = 512
    TIMED_EVERY_NS = 100000

cdef extern from "short_ways.h":
    pass

cdef extern from "ticks.h":
    void mt_start_clock() noexcept
    void mt_set_clock_right() noexcept
    bint mt_trusted
    int64_t mt_clock_ns() noexcept
    int64_t mt_counter_ns() noexcept
    int64_t mt_thread_cpu_ns() noexcept
    void *mt_log

cdef Log **logs = NULL
cdef int n_logs = 0
cdef int wanted = 0
cdef int64_t live_bytes = 0
cdef object clock = None
cdef bint clock_is_told = False
cdef bint times_cpu = False  # whether threads' processor time is noted
cdef bint is_quick = False  # whether the time is a reading of the processor's counter and no more: one test for all
cdef int64_t *timed_ns = NULL  # when that of each thread was noted last
cdef dict thread_names = {}
late_ends = {}  # when rows ended that had been cut off while they were open, by their handles
local = threading.local()

cdef int64_t (*open_any)(int name, int scope, int64_t sequence, int inputs, int forward_thread) except -2
cdef int (*close_any)(int64_t handle) except -1
cdef bint (*change_any)(int64_t address, int64_t change, bint seen) except -1
open_any, close_any, change_any = open_slowly, close_slowly, change_slowly
mt_start_clock()


cdef int listening() noexcept nogil:
    return wanted


cdef int64_t told_ns() except -1:
    """The time by a test's clock: apart, so that the common way stays short."""
    return <int64_t>clock()


cdef int64_t any_ns(Log *log) except -1:
    """The time by a test's clock, or by the machine's, where wanted with a note of the thread's processor time once in
    a while."""
    cdef int64_t time_ns
    if clock_is_told:
        return told_ns()
    time_ns = mt_clock_ns()
    if times_cpu and time_ns - timed_ns[log.index - 1] >= TIMED_EVERY_NS and <Log *>mt_log == log:
        note_cpu_time(log, time_ns)
        time_ns = mt_clock_ns()
    return time_ns


cdef int note_cpu_time(Log *log, int64_t time_ns) except -1:
    """Keep how long this thread has been running, as a row that is no event and nobody's parent."""
    cdef Row *row
    if log.n_rows == log.row_room and not room.has_room(log):
        return 0
    row = &log.rows[log.n_rows]
    row.start_ns = row.end_ns = time_ns if time_ns > log.latest_ns else log.latest_ns
    row.sequence = mt_thread_cpu_ns()
    row.name, row.back, row.inputs, row.forward_thread, row.scope, row.flags = 0, 0, -1, 0, CPU_TIME, 0
    log.n_rows += 1
    timed_ns[log.index - 1] = time_ns
    return 0


cdef inline int64_t number_of(int64_t handle) noexcept:
    """A row's number, without its thread."""
    return handle & ((<int64_t>1 << NUMBER_BITS) - 1)


cdef inline int64_t now(Log *log) except -1:
    """The time, never earlier than what this thread was told before."""
    cdef int64_t time_ns = any_ns(log)
    if time_ns > log.latest_ns:
        log.latest_ns = time_ns
    return log.latest_ns


cdef inline int64_t quick_now(Log *log) noexcept:
    """The same where the time is a reading of the counter."""
    cdef int64_t time_ns = mt_counter_ns()
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
    global logs, n_logs, timed_ns
    cdef Log *log = NULL
    for i in range(n_logs):
        if logs[i].ended and logs[i].n_rows == 0 and logs[i].n_memory == 0:
            log = logs[i]
            log.life += 1
            break
    else:
        log = <Log *>calloc(1, sizeof(Log))
        moved = <Log **>realloc(logs, (n_logs + 1) * sizeof(Log *))
        timed = <int64_t *>realloc(timed_ns, (n_logs + 1) * sizeof(int64_t))
        if log == NULL or moved == NULL or timed == NULL:
            raise MemoryError("no memory left for this thread's profiler log")
        logs, timed_ns = moved, timed
        logs[n_logs] = log
        n_logs += 1
        log.index = n_logs
    timed_ns[log.index - 1] = 0
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
        if not 0 < index <= n_logs:
            raise IndexError(f"there is no thread {index} in the recorder, only 1 to {n_logs}")
        self.index = index

    def __dealloc__(self):
        cdef Log *log
        if self.index == 0:
            return  # of no thread
        log = logs[self.index - 1]
        log.ended = True
        fit(log, 0)
        if <Log *>mt_log == log:
            (<Log **>&mt_log)[0] = NULL


cdef Log *log_at(int thread) noexcept:
    return logs[thread - 1]


cdef int thread_count() noexcept:
    return n_logs


cdef int64_t bytes_alive() noexcept:
    return live_bytes


cdef int thread_index() noexcept:
    try:
        return log_of_thread().index
    except MemoryError:
        return 0


cdef int64_t open_row(int name, int scope, int64_t sequence, int inputs, int forward_thread) except -2:
    cdef Log *log = <Log *>mt_log
    if log == NULL or not is_quick or log.n_rows == log.row_room:
        return open_any(name, scope, sequence, inputs, forward_thread)
    return begun(log, quick_now(log), name, scope, sequence, inputs, forward_thread)


cdef int64_t open_in(Log *log, int name, int scope, int64_t sequence, int inputs, int forward_thread) except -2:
    cdef int64_t start_ns = now(log)  # first: a test's own clock may itself be traced
    if log.n_rows == log.row_room:
        if not room.has_room(log):
            return -1
        if not clock_is_told:
            start_ns = now(log)  # making room takes time that is not the row's
    return begun(log, start_ns, name, scope, sequence, inputs, forward_thread)


cdef inline int64_t begun(Log *log, int64_t start_ns, int name, int scope, int64_t sequence, int inputs,
                          int forward_thread) noexcept:
    """Write a row that there is room for."""
    cdef Row *row = &log.rows[log.n_rows]
    cdef int64_t number = log.first + log.n_rows
    row.start_ns = start_ns
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
    return (<int64_t>log.index << NUMBER_BITS) | number


cdef int64_t open_given(int name, int scope, int64_t sequence, int inputs, int forward_thread, Given *given,
                        int *n) except -2:
    """Open a row, and keep which tensors it was given. If Python may run meanwhile, and another call write its own
    there, none are kept, and n becomes -1."""
    cdef Log *log = <Log *>mt_log
    cdef TensorRow *row
    cdef int64_t handle
    cdef int slot
    if n[0] < 0 or log == NULL or not is_quick or log.n_rows == log.row_room or log.n_tensors + n[0] > log.tensor_room:
        n[0] = -1
        return open_any(name, scope, sequence, inputs, forward_thread)
    handle = begun(log, quick_now(log), name, scope, sequence, inputs, forward_thread)
    row = log.tensors + log.n_tensors
    log.n_tensors += n[0]
    for slot in range(n[0]):
        row.row, row.slot = <uint32_t>(handle + 1), slot
        row.tensor, row.storage = given[slot].tensor, given[slot].storage
        row += 1
    return handle


cdef int64_t open_slowly(int name, int scope, int64_t sequence, int inputs, int forward_thread) except -2:
    return open_in(log_of_thread(), name, scope, sequence, inputs, forward_thread)


cdef void fit(Log *log, Py_ssize_t spare) noexcept:
    """Give back what a log's buffers have beyond their items and a few spare ones, which no ended thread needs."""
    if log.ended:
        spare = 0
    log.rows = <Row *>fitted(log.rows, sizeof(Row), log.n_rows, spare, &log.row_room, &log.row_reserve)
    log.memory = <MemoryRow *>fitted(log.memory, sizeof(MemoryRow), log.n_memory, spare, &log.memory_room,
                                     &log.memory_reserve)
    log.tensors = <TensorRow *>fitted(log.tensors, sizeof(TensorRow), log.n_tensors, spare, &log.tensor_room,
                                      &log.tensor_reserve)


cdef void *fitted(void *block, size_t size, Py_ssize_t n, Py_ssize_t spare, Py_ssize_t *room,
                  Py_ssize_t *reserve) noexcept:
    cdef Py_ssize_t wanted = n + spare
    if reserve[0] <= wanted:
        return block
    if wanted == 0:
        free(block)
        room[0] = reserve[0] = 0
        return NULL
    moved = realloc(block, wanted * size)
    if moved == NULL:
        return block
    reserve[0] = wanted
    room[0] = min(room[0], wanted)
    return moved


cdef int close_row(int64_t handle) except -1:
    cdef Log *log
    cdef Row *row
    cdef int64_t at, index = (handle >> NUMBER_BITS) - 1
    if is_quick and 0 <= index < n_logs:
        log = logs[index]
        at = number_of(handle) - log.first
        if 0 <= at < log.n_rows and log.innermost == number_of(handle) and not log.rows[at].end_ns:
            row = &log.rows[at]
            row.end_ns = quick_now(log)
            if 0 < row.back <= at and not log.rows[at - row.back].end_ns:
                log.innermost -= row.back  # as step_out() would find, for nearly all rows
            else:
                step_out(log)
            return 0
    return close_any(handle)


cdef int close_slowly(int64_t handle) except -1:
    """Any row: also one that is not the innermost, was cut off or handed out."""
    cdef Log *log
    cdef Row *row
    cdef int64_t at, end_ns, index = (handle >> NUMBER_BITS) - 1
    if not 0 <= index < n_logs:
        return 0  # a row that was refused, or what is no handle
    log = logs[index]
    end_ns = now(log)
    at = number_of(handle) - log.first
    if at < 0:
        return close_outer(log, handle, end_ns)
    row = &log.rows[at]
    if at >= log.n_rows or row.end_ns:
        return 0  # handed out while it was open, or closed before
    row.end_ns = end_ns
    if log.innermost == log.first + at:
        step_out(log)
    return 0


cdef int close_outer(Log *log, int64_t handle, int64_t end_ns) except -1:
    """Note the end of a row that was cut off while it was open; one that was handed out ends without a trace."""
    cdef int64_t number = number_of(handle)
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
    live_bytes += change
    if not wanted & 2:
        return False
    log = <Log *>mt_log
    if log == NULL or not is_quick or log.n_memory == log.memory_room:
        return change_any(address, change, seen)
    return changed(log, quick_now(log), address, change, seen)


cdef bint change_slowly(int64_t address, int64_t change, bint seen) except -1:
    cdef Log *log = log_of_thread()
    cdef int64_t time_ns = now(log)
    if log.n_memory == log.memory_room and not room.has_memory_room(log):
        return False
    return changed(log, time_ns, address, change, seen)


cdef inline bint changed(Log *log, int64_t time_ns, int64_t address, int64_t change, bint seen) noexcept:
    """Write a memory row that there is room for."""
    cdef MemoryRow *row = &log.memory[log.n_memory]
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
    if log.n_tensors == log.tensor_room and not room.has_tensor_room(log):
        return 0
    row = &log.tensors[log.n_tensors]
    row.row = <uint32_t>(handle + 1)
    row.slot, row.tensor, row.storage = slot, tensor, storage
    log.n_tensors += 1
    return 0


# ---- the same, for Python code -------------------------------------------------------------------------------

def listen(int want):
    """Say what to record: a sum of the bits in layout.py."""
    global wanted, times_cpu, is_quick
    if want and not wanted:
        mt_set_clock_right()
    wanted = want
    times_cpu = want & WANTS_CPU_TIMES
    is_quick = mt_trusted and not times_cpu and not clock_is_told

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
    global clock, clock_is_told, is_quick
    clock, clock_is_told = now_ns, now_ns is not None
    is_quick = mt_trusted and not times_cpu and not clock_is_told
    for i in range(n_logs):
        logs[i].latest_ns = 0

def latest_ns():
    """The time, no earlier than anything that is in the logs."""
    cdef int64_t time_ns = now_ns()
    for i in range(n_logs):
        time_ns = max(time_ns, logs[i].latest_ns)
    return time_ns

def name_thread(str name):
    """Give this thread a log without asking ``threading``, which would list it among the program's own."""
    (<Log **>&mt_log)[0] = new_log(threading.get_ident(), threading.get_native_id(), name)
    local.ending = Ending((<Log *>mt_log).index)

def thread_facts(int thread):
    """Operating-system id and name of a thread that has a log."""
    if not 0 < thread <= n_logs:
        raise IndexError(f"there is no thread {thread} in the recorder, only 1 to {n_logs}")
    return logs[thread - 1].os_id, thread_names[thread]
