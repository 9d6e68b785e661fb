# cython: language_level=3
"""NumPy without its floating-point warnings for a moment, by C calls; errstate.py is the same in plain Python."""
from cpython.contextvars cimport PyContextVar_Get, PyContextVar_Reset, PyContextVar_Set
from cpython.object cimport PyObject
from cpython.ref cimport Py_XDECREF

from functools import update_wrapper

import numpy as np

cdef object VARIABLE = None, IGNORED = None  # where NumPy looks up what to warn of, and what says nothing
try:
    # What np.errstate sets, without the object around it.
    from numpy._core._ufunc_config import _extobj_contextvar, _make_extobj

    VARIABLE, IGNORED = _extobj_contextvar, _make_extobj(all="ignore")
except ImportError:
    pass


cpdef object hush():
    cdef PyObject *now = NULL
    if VARIABLE is None:
        state = np.errstate(all="ignore")
        state.__enter__()
        return state
    PyContextVar_Get(VARIABLE, NULL, &now)
    Py_XDECREF(now)
    return None if now == <PyObject *>IGNORED else PyContextVar_Set(VARIABLE, IGNORED)


cpdef speak(before):
    if VARIABLE is None:
        before.__exit__(None, None, None)
    elif before is not None:
        PyContextVar_Reset(VARIABLE, before)


cdef class Silent:

    def __init__(self, function):
        self.function = function
        update_wrapper(self, function)

    def __call__(self, *args, **kwargs):
        before = hush()
        try:
            return self.function(*args, **kwargs)
        finally:
            speak(before)


silent = Silent
