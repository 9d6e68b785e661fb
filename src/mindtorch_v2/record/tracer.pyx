# cython: language_level=3
"""Python's calls as rows, by a C profile function; tracer.py is the same in plain Python.

A call becomes a row like any other, so an op's Python stack is its chain of parents. A function is named once: after
that a call costs a look into a table by the address of its code. No frame is kept; code objects are, while tracing.
"""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, realloc

from . cimport rows
from .rows cimport Log

import sys
import threading

from . import calls
from .layout import C_CALL as _C_CALL
from .layout import LINE_BASE as _LINE_BASE
from .layout import NO_LINE as _NO_LINE
from .layout import PYTHON_CALL as _PYTHON_CALL
from .names import names

cdef int PYTHON_CALL = _PYTHON_CALL, C_CALL = _C_CALL, QUIET = calls.QUIET
cdef int64_t NO_LINE = _NO_LINE, LINE_BASE = _LINE_BASE

cdef extern from "Python.h":
    ctypedef struct PyFrameObject:
        pass
    ctypedef int (*Py_tracefunc)(PyObject *, PyFrameObject *, int, PyObject *) except -1
    int PyTrace_CALL, PyTrace_RETURN, PyTrace_C_CALL, PyTrace_C_RETURN, PyTrace_C_EXCEPTION
    PyObject *PyFrame_GetCode(PyFrameObject *frame) noexcept
    PyFrameObject *PyFrame_GetBack(PyFrameObject *frame) noexcept
    int PyFrame_GetLasti(PyFrameObject *frame) noexcept
    int PyFrame_GetLineNumber(PyFrameObject *frame) noexcept
    void Py_DECREF_raw "Py_DECREF"(PyObject *o) noexcept
    void PyEval_SetProfile(Py_tracefunc f, PyObject *o)
    bint PyCFunction_Check(PyObject *o) noexcept
    ctypedef struct PyCFunctionObject:
        void *m_ml
        PyObject *m_self
    PyObject *CAPSULE "(PyObject *)&PyCapsule_Type"
    PyObject *Py_TYPE_raw "(PyObject *)Py_TYPE"(PyObject *o) noexcept

cdef extern from "threads.h":
    void mt_trace_all_threads(Py_tracefunc f) except *
    void mt_untrace_all_threads(Py_tracefunc f) except *

# An open call: a row's handle times two, plus 1 for a C function; hidden ones are negative.
cdef enum:
    HIDDEN_CALL = -2
    HIDDEN_C_CALL = -1

cdef struct Named:
    void *what
    void *of
    int name

cdef enum:
    UNSEEN = -2  # instead of the number of a name
    MOST_NAMED = 1 << 17  # then all are named anew: code that is gone is not kept for ever

cdef Named *table = NULL
cdef Py_ssize_t n_named = 0, table_size = 0
cdef list held = []  # what stands in the table: no address in it can become another's
cdef int64_t times_forgotten = 0, n_hidden = 0
cdef int session = 0
cdef bint running = False
cdef object threads_before = None


def start():
    """Trace every thread, beginning with the frames that are on its stack."""
    global session, running, threads_before
    cdef Log *log
    session += 1
    alive = {t.ident: t for t in threading.enumerate()}
    for ident, frame in sys._current_frames().items():
        if ident in alive:
            log = rows.log_for(alive[ident])
            adopt(log, frame)
    threads_before = threading.getprofile()
    if threads_before is None:
        threading.setprofile(new_thread)
    running = True
    mt_trace_all_threads(on_event)


def stop():
    """Trace no more; calls that are still open end now."""
    global running, threads_before
    cdef Log *log
    running = False
    mt_untrace_all_threads(on_event)
    if threads_before is None:
        threading.setprofile(None)
    for i in range(rows.thread_count()):
        log = rows.log_at(i + 1)
        while log.depth:
            leave(log)
    forget()


def hidden_calls():
    """How many calls were not shown, ever."""
    return n_hidden


def forget():
    """Empty the table: names that are seen again are asked for again."""
    global n_named, table_size, table, held, times_forgotten
    times_forgotten += 1
    free(table)
    table, n_named, table_size = NULL, 0, 0
    held = []


names.when_forgotten.append(forget)


def new_thread(frame, event, argument):
    """What a thread that starts while tracing is told first: use the C function from now on."""
    if running:
        PyEval_SetProfile(on_event, NULL)
        adopt(rows.log_of_thread(), frame)
    else:
        PyEval_SetProfile(NULL, NULL)


cdef int on_event(PyObject *ignored, PyFrameObject *frame, int what, PyObject *argument) except -1:
    cdef Log *log = rows.log_of_thread()
    if log.session != session:
        adopt(log, <object><PyObject *>frame)
        if what == PyTrace_CALL:
            return 0  # it was on the stack just adopted
    if what == PyTrace_CALL:
        enter_python(log, frame)
    elif what == PyTrace_RETURN:
        while log.depth and log.calls[log.depth - 1] & 1:
            leave(log)
        if log.depth:
            leave(log)
    elif what == PyTrace_C_CALL:
        enter_c(log, frame, argument)
    elif (what == PyTrace_C_RETURN or what == PyTrace_C_EXCEPTION) and log.depth and log.calls[log.depth - 1] & 1:
        leave(log)  # a C call entered before the profile returns without a row
    return 0


cdef int enter_python(Log *log, PyFrameObject *frame) except -1:
    cdef PyObject *code = PyFrame_GetCode(frame)
    cdef PyFrameObject *caller
    cdef int64_t line = NO_LINE
    cdef int name = known(<void *>code, NULL)
    if name == UNSEEN:
        name = name_of_code(<object>code)
    Py_DECREF_raw(code)
    name = told(log, name)
    if name >= 0:
        caller = PyFrame_GetBack(frame)
        if caller != NULL:
            line = line_of(log, caller)
            Py_DECREF_raw(<PyObject *>caller)
    return push(log, name, PYTHON_CALL, line)


cdef int name_of_code(code) except? -3:
    """The number of a function's name, known by the code's address from now on; -1 if it is hidden."""
    cdef int64_t before = times_forgotten
    cdef int name
    try:
        name = calls.code_name(code)
    except Exception:
        return -1  # the profiled program is not to hear of it
    if times_forgotten == before:
        learn(<void *><PyObject *>code, NULL, name, code)
    return name


cdef int name_of_builtin(function, void *what, void *of) except? -3:
    """The same for a function written in C; ``what`` is its definition, NULL if that may go before its type does."""
    cdef int64_t before = times_forgotten
    cdef int name
    try:
        name = calls.builtin_name(function)
    except Exception:
        return -1
    if what != NULL and times_forgotten == before:
        learn(what, of, name, None if of == NULL else <object><PyObject *>of)
    return name


cdef int64_t line_of(Log *log, PyFrameObject *caller) except 0:
    """The line a call is made from, as a row keeps it; none if the caller is not shown."""
    cdef PyObject *code
    cdef void *where
    cdef int line
    if log.depth == 0 or log.calls[log.depth - 1] < 0:
        return NO_LINE
    code = PyFrame_GetCode(caller)
    where = <void *><uint64_t>((<uint64_t>PyFrame_GetLasti(caller) + 1) << 4)
    line = known(<void *>code, where)
    if line < 0:
        line = max(PyFrame_GetLineNumber(caller), 0)
        learn(<void *>code, where, line, <object>code)
    Py_DECREF_raw(code)
    return LINE_BASE - line


cdef inline int told(Log *log, int name) noexcept:
    """The name to show; -1 for a quiet function that a hidden one calls."""
    if name < 0 or not name & QUIET:
        return name
    return -1 if log.depth and log.calls[log.depth - 1] < 0 else name & ~QUIET


cdef int enter_c(Log *log, PyFrameObject *frame, PyObject *function) except -1:
    cdef void *what = NULL
    cdef void *of = NULL
    cdef int name = UNSEEN
    if log.depth and log.calls[log.depth - 1] < 0:
        return push(log, -1, C_CALL, NO_LINE)  # called by a function that is not shown
    if PyCFunction_Check(function):
        what = (<PyCFunctionObject *>function).m_ml
        of = <void *>Py_TYPE_raw((<PyCFunctionObject *>function).m_self) if (<PyCFunctionObject *>function).m_self else NULL
        if of == <void *>CAPSULE:
            what = NULL  # a definition made at run time, which goes with the capsule
        name = known(what, of)
    if name == UNSEEN:
        name = name_of_builtin(<object>function, what, of)
    return push(log, name, C_CALL, line_of(log, frame))


cdef int push(Log *log, int name, int scope, int64_t line) except -1:
    """Remember an open call, with a row unless it is hidden."""
    global n_hidden
    cdef int64_t entry
    cdef bint is_c = scope == C_CALL
    if log.depth == log.call_room:
        room = log.call_room * 2 if log.call_room else 64
        moved = <int64_t *>realloc(log.calls, room * sizeof(int64_t))
        if moved == NULL:
            raise MemoryError(f"no memory left for {room} nested calls")
        log.calls, log.call_room = moved, room
    if name < 0:
        entry = HIDDEN_C_CALL if is_c else HIDDEN_CALL
        n_hidden += 1
    else:
        entry = rows.open_in(log, name, scope, line, -1, 0) * 2 + is_c
    log.calls[log.depth] = entry
    log.depth += 1
    return 0


cdef int leave(Log *log) except -1:
    log.depth -= 1
    if log.calls[log.depth] >= 0:
        rows.close_row(log.calls[log.depth] >> 1)
    return 0


cdef int adopt(Log *log, frame) except -1:
    """Rows for the frames that were on a thread's stack before it was traced, with the lines they are at."""
    log.session = session
    log.depth = 0
    stack = []
    while frame is not None:
        stack.append((frame.f_code, frame.f_lineno))
        frame = frame.f_back
    for code, line in reversed(stack):
        push(log, told(log, adopted_name(code, line)), PYTHON_CALL, NO_LINE)
    return 0


cdef int adopted_name(code, line) except? -3:
    try:
        return calls.code_name(code, line)
    except Exception:
        return -1


# ---- names by address: open addressing, always at most half full ---------------------------------------------

cdef inline Py_ssize_t place(void *what, void *of) noexcept:
    cdef uint64_t mixed = (<uint64_t>what >> 4) * <uint64_t>0x9E3779B97F4A7C15 ^ (<uint64_t>of >> 4)
    return <Py_ssize_t>((mixed * <uint64_t>0x9E3779B97F4A7C15) >> 20) & (table_size - 1)


cdef int known(void *what, void *of) noexcept:
    """The number of a name, -1 if it is hidden, UNSEEN if it was never seen."""
    cdef Py_ssize_t at
    if table_size == 0 or what == NULL:
        return UNSEEN
    at = place(what, of)
    while table[at].what != NULL:
        if table[at].what == what and table[at].of == of:
            return table[at].name
        at = (at + 1) & (table_size - 1)
    return UNSEEN


cdef int learn(void *what, void *of, int name, owner) except -1:
    """Put a name into the table; its addresses stay good as long as the owner is held."""
    global table, table_size, n_named
    cdef Named *old
    cdef Py_ssize_t i, old_size
    if n_named >= MOST_NAMED:
        forget()
    held.append(owner)
    old, old_size = table, table_size
    if n_named * 2 >= table_size:
        table_size = old_size * 2 if old_size else 1024
        table = <Named *>calloc(table_size, sizeof(Named))
        if table == NULL:
            table, table_size = old, old_size
            raise MemoryError("no memory left for the names of functions")
        for i in range(old_size):
            if old[i].what != NULL:
                put(old[i].what, old[i].of, old[i].name)
        free(old)
    put(what, of, name)
    n_named += 1
    return 0


cdef void put(void *what, void *of, int name) noexcept:
    cdef Py_ssize_t at = place(what, of)
    while table[at].what != NULL:
        at = (at + 1) & (table_size - 1)
    table[at].what, table[at].of, table[at].name = what, of, name
